# Image of Parley; docs/deployment.md describes how to run it. It has the Node version that package.json pins.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Install scripts of packages do not run. The packaged Node is removed, because the image has its own.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    && rm -rf node_modules/node-linux-* node_modules/.bin node_modules/.package-lock.json

# What it builds is the same for every platform, so that an image for another one needs no emulation here.
FROM --platform=$BUILDPLATFORM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json vite.config.ts ./
COPY scripts scripts
COPY contract contract
COPY server server
COPY web web
RUN node scripts/build/build.ts && rm -f build/*.json build/server/*.map

FROM debian:bookworm-slim
# Group 0 may write to the data folder: some platforms run an image as any user of that group. Files have mode 600.
RUN groupadd --gid 10001 parley \
    && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin parley \
    && install --directory --owner=parley --group=0 --mode=0770 /data
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/build build
# `container`: the convention of systemd and Podman, by which owners get advice about 127.0.0.1.
ENV NODE_ENV=production container=oci HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "build/server/main.js"]
