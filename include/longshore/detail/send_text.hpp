// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_DETAIL_SEND_TEXT_HPP
#define LONGSHORE_DETAIL_SEND_TEXT_HPP

#include <longshore/detail/temporary_name.hpp>
#include <longshore/launch/guard.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace longshore::inline v0::detail {

// The shell text that writes one file in a container, for dash, bash and busybox alike. It needs `head`,
// `mkdir`, `mv`, `rm` and `wc` (each also as `busybox NAME`).
//
//     sh -c TEXT longshore-send PATH SIZE TEMPORARY
//
// PATH is absolute, TEMPORARY the name that the file has in its directory until it is whole. Its stdin is the
// content, SIZE bytes. The exit status is 0 when the file stands in its place, else 1 with the reason on
// stderr; what stood there before still does then.
inline constexpr std::string_view send_text = R"sh(
set +efuvx
set -C
umask 077
export LC_ALL=C
_path=$1 _size=$2 _directory=${1%/*}
_temporary=$_directory/$3
_box=
command -v head >/dev/null 2>&1 || _box=busybox

fail() { echo "longshore: $1" >&2; exit 1; }

# Nothing but a regular file is replaced, and nothing is written through a link.
check() {
    if [ -L "$_path" ]; then fail 'a symbolic link stands in the place of the file'
    elif [ -d "$_path" ]; then fail 'a directory stands in the place of the file'
    elif [ -e "$_path" ] && ! [ -f "$_path" ]; then fail 'a special file stands in the place of the file'; fi
}

check
$_box mkdir -p "$_directory" || fail 'its directory cannot be made'

# What senders that were killed have left here; one that is alive has written within the hour.
$_box find "$_directory" -maxdepth 1 -type f -name '.longshore-????????????????.part' -mmin +60 \
    -exec $_box rm -f {} + 2>/dev/null

trap '$_box rm -f "$_temporary"' EXIT
$_box head -c "$_size" >"$_temporary" || fail 'it cannot be written'
_written=$($_box wc -c <"$_temporary") || fail 'it cannot be read again'
[ "$(($_written))" = "$_size" ] || fail "$(($_written)) of $_size bytes were written"
check
$_box mv -f "$_temporary" "$_path" || fail 'it cannot be put in its place'
trap - EXIT
)sh";

// The command that takes a file of `size` bytes from its stdin to `path`.
inline std::vector<std::string> send_arguments(std::string const& path, std::uint64_t size) {
    return {"sh",
            "-c",
            guard::without_comments(send_text),
            "longshore-send",
            path,
            std::to_string(size),
            temporary_name()};
}

} // namespace longshore::inline v0::detail

#endif
