# Any base with Node.js 22.14 or newer and glibc: the database driver brings its binary, so nothing is compiled.
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY packages/dayz-files/package.json packages/dayz-files/
COPY packages/game-files/package.json packages/game-files/
COPY packages/local-discord/package.json packages/local-discord/
COPY packages/sqlite3 packages/sqlite3
COPY test/openapi/client/package.json test/openapi/client/
# Without scripts: the one that builds needs the sources, which come next so that they do not void this layer.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm run package -- --app /app && chmod +x /app/dist/main.js

FROM ${BASE}
# Config and .env are in /config, the databases in /data; nothing else is written.
ENV NODE_ENV=production \
  OUTPOST_CONFIG=/config/outpost.yaml \
  OUTPOST_DATA=/data \
  OUTPOST_HTTP_HOST=0.0.0.0 \
  OUTPOST_HTTP_PORT=8080
COPY --from=build /app /opt/outpost
COPY packaging/container/healthcheck.js /opt/outpost/
# For docker compose exec outpost outpost doctor.
RUN ln -s /opt/outpost/dist/main.js /usr/local/bin/outpost \
  && mkdir -p /config /data && chown 1000:1000 /config /data
WORKDIR /config
VOLUME ["/config", "/data"]
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "/opt/outpost/healthcheck.js"]
ENTRYPOINT ["node", "/opt/outpost/dist/main.js"]
CMD ["start"]
