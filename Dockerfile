# `docker build .` makes adrkit-mcp, `docker build --target decisionscope .` the other program:
#   docker run -i --rm --network none -v "$PWD:/repo:ro" adrkit-mcp
#   docker run -i --rm -e RITHMO_MCP_TOKEN decisionscope
#
# python:3.13-slim is twice the size of gcr.io/distroless/python3-debian12 and has a shell, but it is
# rebuilt within days of every fix in Debian 13 or in CPython 3.13 (until October 2029), while Debian 12
# with its Python 3.11 is on long-term support; and most sites that mirror anything mirror it already.
# Nothing is installed into it, so any image with a python3 of at least 3.9 will do instead:
#   --build-arg BASE=NAME@sha256:DIGEST
ARG BASE=docker.io/library/python:3.13-slim

FROM ${BASE} AS build
WORKDIR /src
COPY adrkit_mcp adrkit_mcp
RUN ["python3", "-m", "adrkit_mcp.pack", "/out"]

FROM ${BASE} AS decisionscope
COPY --from=build /out/decisionscope.pyz /app/
USER 65532:65532
LABEL org.opencontainers.image.title="decisionscope" \
      org.opencontainers.image.description="Read-only access for tools to a hosted decision record." \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/adrkit-mcp/adrkit-mcp"
ENTRYPOINT ["python3", "-I", "/app/decisionscope.pyz"]
CMD ["mcp"]

FROM ${BASE} AS adrkit-mcp
COPY --from=build /out/adrkit-mcp.pyz /app/
USER 65532:65532
ENV ADRKIT_MCP_CWD=/repo ADRKIT_MCP_IMAGE=1
LABEL org.opencontainers.image.title="adrkit-mcp" \
      org.opencontainers.image.description="Offline, read-only search of Git-kept ADRs for coding agents, in pure standard-library Python." \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/adrkit-mcp/adrkit-mcp" \
      io.modelcontextprotocol.server.name="io.github.adrkit-mcp/adrkit-mcp"
ENTRYPOINT ["python3", "-I", "/app/adrkit-mcp.pyz"]
