# Chatferry on Node, installed from the lock file, run by nobody in particular. docs/guides/operate/docker.md says how to use it.
# The Node that the tests run on.
ARG NODE_VERSION=26.10.0

FROM node:${NODE_VERSION}-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.ts scripts/build.ts
COPY scripts/bundle-page.ts scripts/bundle-page.ts
COPY src src
RUN node scripts/build.ts

FROM node:${NODE_VERSION}-trixie-slim AS dependencies
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Without tools for developers, and without the Node for older machines that this image has no use for.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:${NODE_VERSION}-trixie-slim
LABEL org.opencontainers.image.title="Chatferry" \
      org.opencontainers.image.description="Migrates chat history into a hosted chat service, and proves that every message arrived" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
COPY package.json LICENSE /app/
COPY bin /app/bin
COPY mappings /app/mappings
COPY --from=dependencies /build/node_modules /app/node_modules
COPY --from=build /build/dist /app/dist
# Everything above belongs to root: the program cannot change itself. What it writes goes here; what workers of a fleet share, to /files.
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data /files
VOLUME /data
WORKDIR /data
# As a number, so that Kubernetes can see that it is not root.
USER 1000:1000
# Node itself as the first process: it gets SIGTERM and stops gracefully.
ENTRYPOINT ["node", "/app/bin/chatferry.mjs"]
CMD ["sync", "--config", "/config/chatferry.yaml"]
