# An image with one program and nothing else: no shell, no libraries, no package manager.
#
#   docker build --build-arg COMMIT="$(git rev-parse --short=12 HEAD)" --build-arg DATE="$(git show -s --format=%cs)" -t peri .
#
# docs/containers.md tells how to run it.

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates make musl-tools perl tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && rustup target add "$(uname -m)-unknown-linux-musl"
WORKDIR /source
COPY . .
# Which commit this is, for `peri --version`; the repository itself is not copied.
ARG COMMIT=""
ARG DATE=""
RUN target="$(uname -m)-unknown-linux-musl" \
    && PERI_BUILD_COMMIT="$COMMIT" PERI_BUILD_DATE="$DATE" \
        cargo rustc --locked --profile dist --target "$target" -p peri-cli --bin peri --features encryption \
            -- -C opt-level=3 \
    && install -D -m 755 "target/$target/dist/peri" /image/usr/bin/peri \
    && install -D -m 644 /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ca-certificates.crt \
    && mkdir -p /image/usr/share && cp -r /usr/share/zoneinfo /image/usr/share/zoneinfo \
    && printf 'peri:x:10001:10001::/data:/nonexistent\n' >/image/etc/passwd \
    && install -d -m 700 -o 10001 -g 10001 /image/data \
    && install -d -m 1777 /image/tmp

FROM scratch
COPY --from=build /image /
USER 10001:10001
ENV PERI_HOME=/data
VOLUME /data
EXPOSE 7437
# It opens the store like any other process, so it also tells whether a database on a server can be reached.
HEALTHCHECK --interval=60s --timeout=20s --start-period=10s CMD ["/usr/bin/peri", "health", "--quiet"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/bin/peri"]
# Beyond its own machine a server answers only once there is a key; docs/containers.md begins with that.
CMD ["serve", "--listen", "0.0.0.0:7437"]
