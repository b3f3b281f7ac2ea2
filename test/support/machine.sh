#!/usr/bin/env bash
# A machine of its own for tests of the service: systemd as process 1, with logind, journald and a person's manager, in Linux namespaces
# over an overlay of a root file system that stays untouched. Needs root, overlayfs and a cgroup2 mount; no container engine.
#   boot | halt | reboot | root COMMAND... | person COMMAND...
# MACHINE   folder of this machine (its own per test file)
# SHOWN     "outside=inside" words: what is shown read-only inside
# BASE      the root file system; / without it
set -euo pipefail

self=$(readlink -f "${BASH_SOURCE[0]}")
dir=${MACHINE:?the folder of the machine}
base=${BASE:-/}
person=memdtest
uid=4321

unified() { findmnt -n -t cgroup2 -o TARGET | head -n 1; }
first() { pgrep -P "$(cat "$dir/cradle")" | head -n 1; }
await() { # await TENTHS COMMAND...
  local left=$1
  shift
  while ! "$@"; do
    [ $((left -= 1)) -gt 0 ] || return 1
    sleep 0.1
  done
}

# Our own cgroup: without one the manager inside would gather every process of the host.
# Joined before entering, as newer buses refuse whoever sits outside (EUNATCH).
inside() (
  seat=$(cat "$dir/cgroup")/visitors
  mkdir -p "$seat"
  echo "$BASHPID" > "$seat/cgroup.procs"
  exec nsenter --all --target "$(first)" -- "$@"
)

as_person() {
  inside setpriv --reuid "$uid" --regid "$uid" --init-groups env -i HOME="/home/$person" USER="$person" LOGNAME="$person" LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/bin:/bin XDG_RUNTIME_DIR="/run/user/$uid" "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$uid/bus" \
    sh -c 'cd && exec "$@"' sh "$@"
}

is_up() { inside systemctl is-system-running 2> /dev/null | grep -qE '^(running|degraded)$'; }

build_root() { # in its own mount namespace, as process 1 of its own pid namespace
  local root=$dir/layers/root device pair
  mkdir -p "$root" "$dir/layers/changes" "$dir/layers/scratch"
  mount -t overlay -o "lowerdir=$base,upperdir=$dir/layers/changes,workdir=$dir/layers/scratch" memd-test "$root"
  mkdir -p "$root"/{proc,sys,dev,run,tmp,.outside}
  mount -t proc proc "$root/proc"
  mount --bind "$root/proc/sys" "$root/proc/sys"
  mount -o remount,bind,ro "$root/proc/sys"
  mount -t sysfs -o ro sysfs "$root/sys"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  mount -t tmpfs -o mode=755 tmpfs "$root/run"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  mkdir "$root/dev/shm" "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  for pair in ${SHOWN:-}; do
    local outside=${pair%%=*} at=$root${pair#*=}
    if [ -d "$outside" ]; then mkdir -p "$at"; else mkdir -p "$(dirname "$at")" && touch "$at"; fi
    mount --rbind "$outside" "$at"
    mount -o remount,bind,ro "$at"
  done
  cd "$root"
  pivot_root . .outside
  umount --lazy /.outside
  # Nobody else does it in a container; without it credentials of units stay out of reach.
  mount --make-rshared /
}

# Once per machine: only what a person's manager needs is started, whatever the base has enabled.
furnish() {
  [ ! -e /etc/memd-test-machine ] || return 0
  rm -rf /etc/systemd/{system,user}/*.wants /etc/machine-id /var/lib/dbus/machine-id
  local unit
  for unit in systemd-{remount-fs,modules-load,sysctl,udevd,update-utmp,random-seed,firstboot,hwdb-update,journal-catalog-update,update-done,machine-id-commit}; do
    ln -sf /dev/null "/etc/systemd/system/$unit.service"
  done
  cat > /etc/systemd/system/memd-test.target << 'UNIT'
[Unit]
Description=a machine for tests
Requires=basic.target
Wants=dbus.socket systemd-logind.service systemd-user-sessions.service
After=basic.target systemd-logind.service systemd-user-sessions.service
AllowIsolate=yes
UNIT
  mkdir -p /var/log/journal # a journal that lasts: only then has a person one of their own
  useradd --create-home --uid "$uid" --shell /bin/bash "$person"
  tr -d - < /proc/sys/kernel/random/uuid > /etc/machine-id
  touch /etc/memd-test-machine
}

case ${1:-} in
  boot)
    mkdir -p "$dir"
    cgroup=$(unified)/memd-test-$$
    mkdir "$cgroup"
    echo "$cgroup" > "$dir/cgroup"
    (
      echo "$BASHPID" > "$cgroup/cgroup.procs"
      exec setsid unshare --mount --propagation private bash "$self" keep
    ) > "$dir/boot.log" 2>&1 < /dev/null &
    echo $! > "$dir/keeper"
    await 20 test -s "$dir/cradle" || true
    await 600 is_up || { cat "$dir/boot.log" >&2; echo "systemd did not come up" >&2; exit 1; }
    ;;
  keep) # holds the overlay while the machine inside restarts
    mkdir -p "$dir/layers"
    mount -t tmpfs -o size=50% tmpfs "$dir/layers"
    while true; do
      unshare --pid --mount --uts --ipc --net --cgroup --fork --kill-child bash "$self" init &
      echo $! > "$dir/cradle"
      ended=0
      wait $! || ended=$?
      [ "$ended" = 129 ] || exit 0 # 129: the machine asked for a reboot
    done
    ;;
  init)
    build_root
    hash -r
    export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    furnish
    exec env -i container=memd-test TERM=dumb PATH="$PATH" /lib/systemd/systemd --unit=memd-test.target --log-target=journal < /dev/null
    ;;
  reboot)
    before=$(first)
    inside systemctl reboot --force > /dev/null 2>&1 || true
    changed() { local now; now=$(first) && [ -n "$now" ] && [ "$now" != "$before" ]; }
    await 300 changed
    await 600 is_up
    ;;
  halt)
    inside kill -s RTMIN+13 1 2> /dev/null || true # halt at once
    gone() { ! kill -0 "$(cat "$dir/keeper")" 2> /dev/null; }
    await 50 gone || kill -9 "$(cat "$dir/cradle")" "$(cat "$dir/keeper")" 2> /dev/null || true
    sleep 0.2
    find "$(cat "$dir/cgroup")" -depth -type d -exec rmdir {} + 2> /dev/null || true
    ;;
  root)
    shift
    inside "$@"
    ;;
  person)
    shift
    as_person "$@"
    ;;
  *)
    sed -n '2,8p' "$self"
    exit 2
    ;;
esac
