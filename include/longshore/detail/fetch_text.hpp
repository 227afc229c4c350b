// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_FETCH_TEXT_HPP
#define LONGSHORE_DETAIL_FETCH_TEXT_HPP

#include <string_view>

namespace longshore::inline v0::detail {

// The shell text that reads files in a container, for dash, bash and busybox alike. It needs `head`; it makes
// use of `stat`, `dd`, `find` and `xargs` where they are (each also as `busybox NAME`). It writes no file.
//
//     sh -c TEXT longshore-fetch list|tree FILE_BYTES TOTAL_BYTES ENTRIES DEPTH totals|plain
//
// Its stdin is the mark of the call in the first line, then paths: for each the count of its lines, then the
// path. A list comes twice where totals are wanted, with an empty path in between. A tree is one path.
//
// Its stdout is one record after another, `MARK WORD NUMBER NAME` and a NUL, which stands in no name. A
// record `file` is followed by NUMBER bytes of content, and these, whatever happened meanwhile, by as many
// NULs as make up for bytes that did not come, and then by `whole` or `changed`. Its exit status is 1 when
// anything was refused.
//
// Nothing here keeps the host safe: a container may answer what it likes, and FetchReader and FetchReceiver
// believe none of it. It only tells an honest container's user what is wrong.
inline constexpr std::string_view fetch_text = R"sh(
set +efuvx
export LC_ALL=C
IFS=' '
_mode=$1 _file_bytes=$2 _total_bytes=$3 _entries=$4 _depth=$5 _totals=$6
_status=0 _count=0 _sent=0 _name= _last=
_newline='
'
IFS= read -r _mark && [ -n "$_mark" ] || exit 125
_box=
command -v head >/dev/null 2>&1 || _box=busybox

say() { settle; printf '%s %s %s %s\000' "$_mark" "$1" "$2" "$3"; }
refuse() { _status=1; say "$1" "${2:-0}" "$_name"; }
give_up() { say "$1" "$2" ''; exit 1; }

# What the file system says of each file: its size first, then what is another when it is written to or replaced.
if $_box stat -L -c '%s %i %y' /; then
    look() { $_box stat -L -c '%s %i %y' "$@"; }
else
    look() { for _file do _bytes=$($_box wc -c <"$_file") && echo $(($_bytes)) || return; done; }
fi >/dev/null 2>&1

# The last file that was sent gets its verdict when it is looked at again, which is at the look at the next one, for
# starting programs is all that small files cost. $1: what the file system says of it now.
judge() {
    _last=
    if [ "$_copied $1" = "0 $_before" ]; then
        say whole 0 ''
    else
        _status=1
        $_box head -c "$_size" /dev/zero
        say changed 0 ''
    fi
}
settle() { [ -z "$_last" ] || judge "$(look "$_last" 2>/dev/null)"; }
look_at_next() {
    if [ -n "$_last" ] && _both=$(look "$_last" "$_path" 2>/dev/null); then
        judge "${_both%%"$_newline"*}"
        _before=${_both#*"$_newline"}
    else
        settle
        _before=$(look "$_path" 2>/dev/null)
    fi
    _size=${_before%% *}
}

# The first _size bytes of stdin. Blocks, because head is slow.
copy() {
    if [ "$_size" -ge 131072 ]; then
        $_box dd bs=131072 count=$((_size / 131072)) iflag=fullblock 2>/dev/null ||
            $_box head -c $((_size / 131072 * 131072)) || return
    fi
    [ $((_size % 131072)) = 0 ] || $_box head -c $((_size % 131072))
}

# A regular file, as it is at one moment: when it is another afterwards, that is said.
send() {
    look_at_next
    case $_size in '' | *[!0-9]*) refuse closed; return ;; esac
    [ "$_size" -le "$_file_bytes" ] || { refuse large "$_size"; return; }
    [ "$_size" -le $((_total_bytes - _sent)) ] || give_up much "$_sent"
    _opened=
    {
        _opened=yes _sent=$((_sent + _size))
        say file "$_size" "$_name"
        copy
        _copied=$? _last=$_path
    } <"$_path"
    [ -n "$_opened" ] || refuse closed
}

fetch() {
    if [ -L "$_path" ]; then refuse link
    elif [ -f "$_path" ]; then send
    elif [ -d "$_path" ]; then refuse folder
    elif [ -e "$_path" ]; then refuse special
    else refuse missing; fi
}

# A directory that is no link. $1: how many lie above it in the tree.
enter() {
    if [ "$1" -gt "$_depth" ]; then refuse deep
    elif ! [ -r "$_path" ] || ! [ -x "$_path" ]; then refuse closed
    else
        say directory 0 "$_name"
        walk "${_name:+$_name/}" "$1"
    fi
}

# Everything in the directory $1, in the order of names; a pattern that matched nothing stands for itself. What
# another transfer is just writing is left out.
walk() {
    for _path in "$_root/$1"* "$_root/$1".[!.]* "$_root/$1"..?*; do
        _name=${_path#"$_root/"}
        if ! [ -e "$_path" ] && ! [ -L "$_path" ]; then
            case $_name in "$1*" | "$1.[!.]*" | "$1..?*") continue ;; esac
        fi
        case ${_name##*/} in .longshore-????????????????.part) continue ;; esac
        _count=$((_count + 1))
        [ "$_count" -le "$_entries" ] || give_up many "$_entries"
        if [ -d "$_path" ] && ! [ -L "$_path" ]; then
            enter $(($2 + 1))
        else
            fetch
        fi
    done
}

read_path() {
    IFS= read -r _lines && IFS= read -r _path || return
    while [ "$_lines" -gt 1 ]; do
        IFS= read -r _more || return
        _path=$_path$_newline$_more
        _lines=$((_lines - 1))
    done
}

sum() {
    _sum=0
    while read -r _bytes; do _sum=$((_sum + _bytes)); done
    say total "$_sum" ''
}

if [ "$_mode" = tree ]; then
    read_path || exit 125
    _root=$_path
    [ "$_totals" != totals ] || $_box find "$_root" -type f -exec $_box stat -c %s {} + 2>/dev/null | sum
    if [ -L "$_root" ]; then refuse link
    elif [ -d "$_root" ]; then enter 0
    elif [ -e "$_root" ]; then refuse special
    else refuse missing; fi
else
    [ "$_totals" != totals ] ||
        while read_path && [ -n "$_path" ]; do printf '%s\000' "$_path"; done |
        $_box xargs -0 $_box stat -c %s 2>/dev/null | sum
    while read_path; do
        _count=$((_count + 1))
        fetch
    done
fi
say done "$_count" ''
exit "$_status"
)sh";

} // namespace longshore::inline v0::detail

#endif
