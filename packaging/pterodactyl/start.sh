#!/bin/bash
# Starts Outpost in a panel. Where there is no config yet, the egg's variables are what `outpost init` makes one of.
set -euo pipefail
if [ ! -e "${OUTPOST_CONFIG:-config/outpost.yaml}" ]; then
  if [ -z "${GAME_FILES:-}${GAME_ADDRESS:-}" ]; then
    echo "There is no config yet. Set the egg's variables of the game server, or upload config/outpost.yaml, then start again." >&2
    exit 1
  fi
  secrets=$(mktemp -d)
  trap 'rm -rf "$secrets"' EXIT
  printf '%s\n' "${GAME_PASSWORD:-}" >"$secrets/password"
  options=(--yes)
  case ${GAME_FILES:-} in
    '') ;;
    nitrado) options+=(--nitrado-token-file "$secrets/password") ;;
    *) options+=(--login "$GAME_FILES" --password-file "$secrets/password") ;;
  esac
  if [ -n "${GAME_ADDRESS:-}" ]; then options+=(--address "$GAME_ADDRESS"); fi
  if [ -n "${GAME_TIMEZONE:-}" ]; then options+=(--timezone "$GAME_TIMEZONE"); fi
  if [ -n "${DISCORD_CHANNEL:-}" ]; then options+=(--channel "$DISCORD_CHANNEL"); fi
  ./outpost/outpost init "${options[@]}"
  rm -rf "$secrets"
fi
# In the place of this script, so that the panel's SIGINT reaches it.
exec ./outpost/outpost start
