#!/bin/bash
# Unpacks a release into the server's folder. Config, .env and data beside it stay as they are.
set -euo pipefail
cd "${SERVER_FOLDER:-/mnt/server}"
name=$(basename "${ARCHIVE_URL%%\?*}")
trap 'rm -rf "$name" outpost.new' EXIT
curl --fail --location --silent --show-error --output "$name" "$ARCHIVE_URL"
if [ -n "${ARCHIVE_SHA256:-}" ] && ! echo "$ARCHIVE_SHA256  $name" | sha256sum --check --quiet; then
  echo "$name has another SHA-256 than expected. Check both variables. Nothing was changed." >&2
  exit 1
fi
rm -rf outpost.new && mkdir outpost.new
tar -xzf "$name" -C outpost.new --strip-components=1 --no-same-owner
rm -rf outpost && mv outpost.new outpost
mkdir -p config
cp outpost/config/outpost.example.yaml outpost/config/outpost.schema.json outpost/config/project.schema.json config/
echo "Installed. At its first start, the variables of the egg become config/outpost.yaml; config/outpost.example.yaml shows every key."
