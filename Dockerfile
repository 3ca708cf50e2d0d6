# Brick-by-Brick on a CPU: `docker build -t brickbybrick .`, then
#   docker run --rm -v "$PWD:/work" brickbybrick build picture.png
#   docker run --rm -p 127.0.0.1:8000:8000 brickbybrick studio --host 0.0.0.0
# Node builds the page once; what runs has no Node, no compiler and no rights but a user's.
FROM node:22-slim AS page
WORKDIR /source/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --no-progress
COPY web ./
RUN npm run build

FROM python:3.11-slim AS wheel
WORKDIR /source
COPY . .
COPY --from=page /source/src/brickbybrick/studio/page src/brickbybrick/studio/page
# The page is newer than its source, so that it is not built again.
RUN find src/brickbybrick/studio/page -exec touch {} + \
    && pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
# PyTorch's site names an index that has builds for CPUs, which are a tenth of the size: --build-arg PIP_EXTRA_INDEX_URL=...
ARG PIP_EXTRA_INDEX_URL
COPY constraints.txt /tmp/constraints.txt
RUN pip install --no-cache-dir --constraint /tmp/constraints.txt "torch==$(sed -n 's/^torch==//p' /tmp/constraints.txt)"
RUN --mount=type=bind,from=wheel,source=/wheels,target=/wheels \
    pip install --no-cache-dir --constraint /tmp/constraints.txt "$(ls /wheels/*.whl)[kit,learn,mcp,meshes,search,studio]"
RUN useradd --uid 1000 --create-home builder && mkdir /work && chown builder /work
USER 1000
# Compiled once, while the image is made.
ENV NUMBA_CACHE_DIR=/home/builder/compiled
RUN python -m brickbybrick.commands.prepare
WORKDIR /work
ENTRYPOINT ["b3"]
CMD ["--help"]
