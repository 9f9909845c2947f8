#!/bin/bash
# Unpacks a release into the server's folder. Config, .env and data beside it stay as they are.
set -euo pipefail
cd /mnt/server
name=$(basename "${ARCHIVE_URL%%\?*}")
curl --fail --location --silent --show-error --output "$name" "$ARCHIVE_URL"
if [ -n "${ARCHIVE_SHA256:-}" ]; then
  echo "$ARCHIVE_SHA256  $name" | sha256sum --check
fi
rm -rf outpost.new && mkdir outpost.new
tar -xzf "$name" -C outpost.new --strip-components=1 --no-same-owner
rm -rf outpost && mv outpost.new outpost && rm "$name"
mkdir -p config
cp outpost/config/outpost.example.yaml outpost/config/outpost.schema.json config/
echo "Installed. Write config/outpost.yaml (config/outpost.example.yaml shows every key), then start the server."
