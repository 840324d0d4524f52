#!/usr/bin/env bash
# Gives a runner without a screen an X11 or Wayland display for the steps that follow: bash .github/display.sh x11|wayland
set -euo pipefail
export XDG_RUNTIME_DIR="$RUNNER_TEMP/display"
mkdir -m 700 "$XDG_RUNTIME_DIR"
case "$1" in
  x11) packages=(xvfb openbox x11-utils xdotool) ;;
  wayland) packages=(sway) ;;
esac
sudo apt-get update -qq
sudo apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
# Ubuntu restricts user namespaces, which Chromium's sandbox needs outside of an installed package.
sudo sysctl -qw kernel.apparmor_restrict_unprivileged_userns=0
if [ "$1" = x11 ]; then
  variables=(DISPLAY=:99)
  Xvfb :99 -screen 0 1920x1080x24 >"$XDG_RUNTIME_DIR/xvfb.log" 2>&1 &
  until DISPLAY=:99 xdpyinfo >/dev/null 2>&1; do kill -0 $!; sleep 0.2; done
  # Without a window manager nothing can be maximized or minimized.
  DISPLAY=:99 openbox >"$XDG_RUNTIME_DIR/openbox.log" 2>&1 &
else
  # Chromium chooses Wayland only if the session says that it is one.
  variables=("XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR" "SWAYSOCK=$XDG_RUNTIME_DIR/sway.sock" WAYLAND_DISPLAY=wayland-1 XDG_SESSION_TYPE=wayland)
  WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman SWAYSOCK="$XDG_RUNTIME_DIR/sway.sock" \
    sway -c /dev/null >"$XDG_RUNTIME_DIR/sway.log" 2>&1 &
  until swaymsg -s "$XDG_RUNTIME_DIR/sway.sock" -t get_version >/dev/null 2>&1; do kill -0 $!; sleep 0.2; done
fi
printf '%s\n' "${variables[@]}" >>"$GITHUB_ENV"
