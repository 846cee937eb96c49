# Shell functions shared by quickstart, check and .ci/run: what a build needs, and getting it on Debian.
# Sourced, POSIX sh. Each need is a line "PACKAGE KIND THING": KIND is command, header or python.

needs_build='g++ command c++
cmake command cmake
ninja-build command ninja
nlohmann-json3-dev header nlohmann/json.hpp
libcli11-dev header CLI/CLI.hpp
libedit-dev header histedit.h
libcurl4-openssl-dev header curl/curl.h'
# Without these the command is built without its server.
needs_server='libboost-dev header boost/beast/http.hpp
libssl-dev header openssl/ssl.h'
needs_tests="libgtest-dev header gtest/gtest.h
$needs_server
python3 command python3"
# Without these the tests of the page are skipped.
needs_page='nodejs command node
npm command npm
chromium command chromium'
needs_model='python3-venv python ensurepip'

# Prints the packages among the needs in $1 whose thing is not there.
missing_packages() {
    printf '%s\n' "$1" | while read -r package kind thing; do
        case $kind in
        command) command -v "$thing" >/dev/null 2>&1 ;;
        header) have_header "$thing" ;;
        python) python3 -c "import $thing" >/dev/null 2>&1 ;;
        esac || printf '%s\n' "$package"
    done
}

have_header() {
    for folder in /usr/include /usr/local/include /opt/homebrew/include; do
        [ -e "$folder/$1" ] && return 0
    done
    printf '#include <%s>\n' "$1" | c++ -x c++ -fsyntax-only - >/dev/null 2>&1
}

# Installs the packages missing for the needs in $1, or says exactly what is missing and fails.
install_needs() {
    packages=$(missing_packages "$1" | sort -u | tr '\n' ' ')
    [ -n "$packages" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "error: this machine lacks what these Debian packages hold: $packages" >&2
        echo "Install the like of them with the system's own package manager, then start again." >&2
        return 1
    fi
    as_root=
    if [ "$(id -u)" != 0 ]; then
        as_root=sudo
        if ! command -v sudo >/dev/null 2>&1; then
            echo "error: missing packages: $packages" >&2
            echo "There is no sudo here; as root: apt-get install --no-install-recommends $packages" >&2
            return 1
        fi
    fi
    echo "Installing: $packages" >&2
    # shellcheck disable=SC2086  # a list of packages
    if ! { $as_root apt-get update -qq &&
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends $packages; } >"$install_log" 2>&1; then
        tail -n 5 "$install_log" >&2
        echo "error: could not install: $packages (whole output: $install_log)" >&2
        return 1
    fi
}

# ccache counts paths relative to the tree, so that copies of it find what the original has compiled.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

# Memory-hungry compilers: one job for each core, but no more than one for each 1.5 GB.
build_jobs() {
    cores=$(nproc 2>/dev/null || echo 2)
    kilobytes=$(awk '/MemAvailable/ { print $2 }' /proc/meminfo 2>/dev/null || echo 0)
    fitting=$(( ${kilobytes:-0} / 1500000 ))
    [ "$fitting" -ge 1 ] || fitting=1
    [ "$cores" -lt "$fitting" ] && echo "$cores" || echo "$fitting"
}
