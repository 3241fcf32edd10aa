# Vedette with its embedded database. Data lives in /data: mount a volume there.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/schema/package.json packages/schema/
COPY packages/core/package.json packages/core/
COPY packages/runner/package.json packages/runner/
COPY packages/server/package.json packages/server/
COPY packages/web/package.json packages/web/
COPY packages/cli/package.json packages/cli/
RUN npm ci --no-fund --no-audit
COPY packages/runner/runtimes/2025.04 packages/runner/runtimes/2025.04/
RUN cd packages/runner/runtimes/2025.04 && npm ci --ignore-scripts --no-fund --no-audit
COPY . .
# Makes copies of a process for scripts; the image that runs has no compiler.
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && npm run build:fork -w packages/runner
RUN cd packages/web && npx vite build
RUN npm prune --omit=dev --no-fund --no-audit

FROM node:24-bookworm-slim
# The init reaps what ended; the engine and the runner are processes of their own. Scripts of users run in bubblewrap, ICMP
# checks run ping, pages are opened in the headless shell of Chromium, videos need ffmpeg.
RUN apt-get update && apt-get install -y --no-install-recommends tini ca-certificates bubblewrap util-linux iputils-ping chromium-headless-shell ffmpeg && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app .
RUN mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_ENV=production
VOLUME /data
EXPOSE 3000
# Runs in hand are finished before the process ends.
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s --interval=30s --timeout=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "packages/cli/src/main.ts", "start"]
