// SPDX-License-Identifier: BSL-1.0
#ifndef LONGSHORE_LAUNCH_GUARD_TEXT_HPP
#define LONGSHORE_LAUNCH_GUARD_TEXT_HPP

#include <string>
#include <string_view>

/// @file
/// The guard: the shell text that runs beside the command, wherever the transport leads.
///
/// It is POSIX sh for dash, bash and busybox alike, and needs `head`, `cat` and, where there are any, `dd`,
/// `grep`, `setsid` and `env` (each also as `busybox NAME`). It writes no file, so it works on a read-only
/// root and as any user. Variables go from stdin into the environment and stand on no command line, but for
/// the few that shells keep for themselves, such as `UID` and `RANDOM`: those can only pass through `env`.
///
///     host ── header, input, end of stdin ──► guard ── input ──► command
///     host ◄── stdout and stderr, each framed by the mark ────── command
///
/// The first line of stdin is `MARK IDENTITY SIZE VARIABLES`, then come the command's own variables, then
/// SIZE bytes of input. After that stdin stays open and silent for as long as the host wants the command to
/// live: its end means that the host gave up or is gone. Every word of the guard is one line, `RS MARK word`,
/// where RS is the byte 036. The mark is known to no other process: it stands in no argument and in no
/// environment.

namespace longshore::inline v0 {
namespace guard {

/// Stands first: takes away what the place has given its shells. Options such as `allexport` would put the
/// mark into environments, and functions that bash imports would stand for the utilities. The guard's own
/// variables begin with `_`; one that the place exports under such a name is taken away, and never gets a
/// value of ours.
inline constexpr std::string_view opening_text = R"sh(
set +aefuvx
unset -f command printf read cat head dd grep env setsid sleep kill cd echo test busybox sh have say
command set +k 2>/dev/null
unset _mark _identity _size _variables _lines _assignment _more _session _started _box _grep _stat _line _state \
    _its_session _its_start _proc _verdict _round _clean _tries _remaining _file _process _text _hold _held _name \
    _folder _found _answer _status _word _first _second _awaited _told _error_to
)sh";

/// Shared by the guard and by the clean-up: ends everything that belongs to one call.
inline constexpr std::string_view ending_text = R"sh(
# One word to the host. Nobody but the guard knows the mark. A command that has left its stdout non-blocking, and
# the pipe full, makes the write fail until the host has read.
say() {
    _tries=0
    until printf '\036%s %s\n' "$_mark" "$1"; do
        [ "$_tries" -lt 100 ] || return
        _tries=$((_tries + 1))
        $_box sleep 0.1 || $_box sleep 1
    done
}

# The utilities, under whatever name this place has them.
have() { command -v "$1" >/dev/null 2>&1; }
_box= _grep=
have head || { have busybox && _box=busybox; }
if have grep; then _grep=grep; elif have busybox; then _grep='busybox grep'; fi

# What the kernel says of a process. Its name may hold anything, so the fields are those after the last bracket.
read_stat() {
    _stat=
    while read -r _line; do _stat=$_line; done <"/proc/$1/stat" || return
    set -- ${_stat##*) }
    _state=$1 _its_session=$4 _its_start=${20}
}

# Does /proc show these very processes? That of another PID namespace has numbers that mean others here.
_proc=
if read_stat self && [ "${_stat%% *}" = "$$" ] && [ -r /proc/self/environ ]; then _proc=yes; fi 2>/dev/null

# Has another process got the session's number since? Then the session is empty and must not be touched.
is_recycled() { [ -n "$_started" ] && read_stat "$_session" && [ "$_its_start" != "$_started" ]; }

# Files in /proc of the processes that carry the call's identity or live in its session; zombies do not count.
# This shell's own is listed too, so that a list without it is known not to be one.
list_remaining() {
    if [ -n "$_grep" ]; then
        $_grep -l -e "^$$ (" -e "LONGSHORE_CALL=$_identity" -e ") [^ZX] [0-9]* [0-9]* ${_session:-none} " \
            /proc/[0-9]*/environ /proc/[0-9]*/stat
        return
    fi
    for _file in /proc/[0-9]*/environ; do
        _process=${_file#/proc/} _process=${_process%/environ} _text=
        read_stat "$_process" || continue
        while IFS= read -r _line || [ -n "$_line" ]; do _text=$_text$_line; done <"$_file"
        case $_state:$_its_session:$_text in
        [ZX]*) ;;
        ?:"$_session":* | *"LONGSHORE_CALL=$_identity"*) echo "$_file" ;;
        esac
    done
    echo "/proc/$$/stat"
}

# Kill until nothing is left: the session's group at one stroke, then whatever else belongs to the call. A process
# that is just being born may be missing in a list, so it takes two that are empty.
end_all() {
    _verdict=left _round=0 _clean=0
    [ -n "$_proc" ] || _verdict=unsure
    while [ "$_round" -lt 60 ]; do
        if is_recycled; then _session=; fi
        [ -z "$_session" ] || kill -KILL "-$_session"
        [ "$_verdict" = left ] || return
        _remaining=$(list_remaining)
        if [ "$_remaining" = "/proc/$$/stat" ]; then
            _clean=$((_clean + 1))
            [ "$_clean" -lt 2 ] || { _verdict=gone; return; }
            continue
        fi
        _clean=0
        for _file in $_remaining; do
            _process=${_file#/proc/} _process=${_process%%/*}
            [ "$_process" = "$$" ] || kill -KILL "$_process"
        done
        _round=$((_round + 1))
        [ "$_round" -lt 20 ] || $_box sleep 0.1 || $_box sleep 1
    done
} 2>/dev/null
)sh";

/// Ends what an earlier call left behind, from a second way in. Its stdin is `MARK IDENTITY SESSION STARTED`.
inline constexpr std::string_view clean_up_text = R"sh(
IFS=' ' read -r _mark _identity _session _started && [ -n "$_identity" ] || exit 125
end_all
say "$_verdict"
)sh";

/// The guard itself. `enter`, `run_command` and `_error_to` are written in front of it for each call.
inline constexpr std::string_view guard_text = R"sh(
IFS=' ' read -r _mark _identity _size _variables || exit 125
case $_size:$_variables in :* | *: | *[!0-9:]*) exit 125 ;; esac
have head || [ -n "$_box" ] || { echo 'longshore: this place has neither head nor busybox' >&2; exit 125; }

# The command's own variables: a count of lines, then NAME=value, which may go over several lines.
set --
while [ "$_variables" -gt 0 ]; do
    IFS= read -r _lines && IFS= read -r _assignment || exit 125
    while [ "$_lines" -gt 1 ]; do
        IFS= read -r _more || exit 125
        _assignment=$_assignment'
'$_more
        _lines=$((_lines - 1))
    done
    set -- "$@" "$_assignment"
    _variables=$((_variables - 1))
done

# 3: what the host still says; 4 and 5: where the command writes. The shells' own remarks go nowhere.
exec 3<&0 4>&1 5>&2 0</dev/null 2>/dev/null
_session= _started=

# The command's input, SIZE bytes and no more. What the host sends is taken at once, whether the command reads it
# or not (dd keeps it), so that the end of stdin never hides behind unread bytes. Beyond 256 MiB it streams. Input
# that could not be handed over, for want of memory or processes, is told: the command saw an end that was none.
# 1 and 141 are no loss: the command does not read on.
feed() {
    trap 'say input-lost >&4' EXIT
    if [ "$_size" -le 4096 ]; then
        $_box head -c "$_size" <&3
        is_handed_over "$?" || exit
        echo fed >&6
    else
        _hold="$_box cat"
        if [ "$_size" -le 268435456 ] && $_box dd bs=1 count=0 iflag=fullblock </dev/null; then
            _hold="$_box dd bs=$_size count=1 iflag=fullblock"
        fi
        {
            $_box head -c "$_size" <&3
            is_handed_over "$?" || say input-lost >&4
            echo fed >&6
        } | keep 3<&- 6>&-
        is_handed_over "$?" || exit
    fi
    trap - EXIT
}

is_handed_over() { [ "$1" -le 1 ] || [ "$1" = 141 ]; }

# dd needs memory for all of it before it reads the first byte; without it the rest goes through cat.
keep() {
    $_hold 4>&- 5>&-
    _held=$?
    [ "$_held" != 1 ] || { $_box cat 4>&- 5>&-; _held=$?; }
    return "$_held"
}

# Where is that program? 0: found. 126: it cannot be executed. 127: there is none.
locate() {
    case $1 in
    */*) set -- "$1" ;;
    *)
        _name=$1 IFS=:
        set -f --
        for _folder in $PATH; do set -- "$@" "${_folder:-.}/$_name"; done
        unset IFS
        set +f
        ;;
    esac
    _answer=127
    for _found do
        if [ -f "$_found" ] && [ -x "$_found" ]; then return 0; fi
        [ ! -e "$_found" ] || _answer=126
    done
    return "$_answer"
}

# The last step: variables, then the command in place of this process. From the first variable on, no name may be
# used that could be one of them. What shells keep as read only, or compute, only env can set.
become() {
    for LONGSHORE_ENTRY do
        shift
        case ${LONGSHORE_ENTRY%%=*} in
        _ | BASH* | UID | EUID | PPID | SHELLOPTS | SHLVL | FUNCNAME | FUNCNEST | GROUPS | DIRSTACK | PIPESTATUS | \
            LINENO | OPTIND | HISTCMD | RANDOM | SRANDOM | SECONDS | EPOCHSECONDS | EPOCHREALTIME)
            set -- "$@" "$LONGSHORE_ENTRY"
            ;;
        *) export "$LONGSHORE_ENTRY" ;;
        esac
    done 2>/dev/null
    [ "$#" = 0 ] || set -- "$LONGSHORE_ENV" ${LONGSHORE_ENV_APPLET:+env} "$@"
    run_command exec ${LONGSHORE_SETSID:+"$LONGSHORE_SETSID"} ${LONGSHORE_APPLET:+setsid} "$@"
}

# Becomes the command: this very process, in a session of its own, with three descriptors and default signals.
launch() (
    if [ -n "$_proc" ] && read_stat self; then
        _session=${_stat%% *} _started=$_its_start
    else
        _session=$(exec $_box sh -c 'echo $PPID')
    fi
    export PATH="${PATH:-/usr/local/bin:/usr/bin:/bin}"
    LONGSHORE_ENV=env LONGSHORE_ENV_APPLET= LONGSHORE_SETSID= LONGSHORE_APPLET=
    if locate env; then
        LONGSHORE_ENV=$_found
    elif locate busybox; then
        LONGSHORE_ENV=$_found LONGSHORE_ENV_APPLET=env
    fi
    if locate setsid; then
        LONGSHORE_SETSID=$_found
    elif locate busybox; then
        LONGSHORE_SETSID=$_found LONGSHORE_APPLET=setsid
    else
        _session=
    fi
    echo "session $_session $_started" >&6
    exec 3<&- 6>&-
    enter || { say no-directory; exit 125; }
    for _assignment do
        case $_assignment in PATH=*) PATH=${_assignment#PATH=} ;; esac
    done
    run_command locate || { say "no-command $_answer"; exit "$_answer"; }
    say "begin $_session $_started" >&5
    say "begin $_session $_started"
    exec 2>&$_error_to 4>&- 5>&-
    become "$@" "LONGSHORE_CALL=$_identity"
)

run() {
    launch "$@"
    _status=$?
    say "end $_status" >&5
    say "end $_status"
}

# Waits for the end of stdin, whenever that is, and ends whatever the call still has. Its own input says what the
# session is, and when the command's input has been taken off stdin. The trap also ends a command that nobody can
# watch, because it left no room for another process.
watch() {
    while [ "$_awaited" -gt 0 ] && read -r _word _first _second; do
        [ "$_word" != session ] || { _session=$_first _started=$_second _told=yes; }
        _awaited=$((_awaited - 1))
    done
    [ -n "$_told" ] || { echo 'longshore: this place has no room for another process' >&5; exit 125; }
    trap 'end_all; say "$_verdict" >&4' EXIT
    $_box cat <&3 >/dev/null
}

if [ "$_size" = 0 ]; then
    _awaited=1
    { run "$@" 6>&1 1>&4; } | watch
else
    _awaited=2
    { { feed | run "$@" 1>&4; } 6>&1; } | watch
fi
)sh";

} // namespace guard
} // namespace longshore::inline v0

#endif
