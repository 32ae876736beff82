/**
 * Shapes as the triangles that an index keeps: polygons are cut into triangles, segments of lines and points
 * are triangles of two corners and of one.
 *
 *   triangle := longitude and latitude of the corners a, b and c, then the own edges; u32 each, the most
 *               significant byte first
 *
 * Coordinates are quantised, with their sign bit flipped. A segment is a b a, a point a a a. Own edges are
 * those of the shape itself and not of its cuts: bit 0 of a–b, bit 1 of b–c, bit 2 of c–a.
 */
import { EngineError } from '../../util/errors.ts'
import type { Corners } from './corners.ts'
import type { GivenBox } from './geometry.ts'
import { quantised } from './quantised.ts'
import type { SimpleShape } from './simple-shape.ts'
import { OWN_AB, OWN_BC, OWN_CA, type TriangleSink, triangulate } from './triangulate.ts'

/** 32-bit words of a triangle. */
export const TRIANGLE_WORDS = 7

/** Sign bit: flipped, so that words compare as unsigned. */
const SIGN = 0x80000000
const ALL_OWN = OWN_AB | OWN_BC | OWN_CA

/**
 * Lists the triangles of shapes.
 * @param take receives the bytes of each triangle, which are reused
 * @throws {EngineError} `illegal_argument_exception`: a polygon cannot be cut;
 *   `unsupported_operation_exception`: there is a circle
 */
export function listTriangles(
  shapes: readonly SimpleShape[],
  take: (bytes: Uint8Array) => void,
): void {
  const bytes = new Uint8Array(4 * TRIANGLE_WORDS)
  const view = new DataView(bytes.buffer)
  const sink: TriangleSink = (...words) => {
    for (let i = 0; i < 6; i++) view.setUint32(4 * i, (words[i]! ^ SIGN) >>> 0)
    view.setUint32(24, words[6])
    take(bytes)
  }
  for (const shape of shapes) {
    switch (shape.kind) {
      case 'point':
        addSegment(shape.lon, shape.lat, shape.lon, shape.lat, sink)
        break
      case 'line': {
        const { lons, lats } = shape.path
        for (let i = 1; i < lons.length; i++)
          addSegment(lons[i - 1]!, lats[i - 1]!, lons[i]!, lats[i]!, sink)
        break
      }
      case 'polygon':
        triangulate(shape.rings, sink)
        break
      case 'box':
        for (const box of eastward(shape.box)) triangulate([cornersOfBox(box)], sink)
        break
      case 'circle':
        throw new EngineError({
          type: 'unsupported_operation_exception',
          reason: 'CIRCLE geometry is not supported',
        })
    }
  }
}

function addSegment(
  fromLon: number,
  fromLat: number,
  toLon: number,
  toLat: number,
  sink: TriangleSink,
): void {
  const x = quantised(fromLon, 360)
  const y = quantised(fromLat, 180)
  sink(x, y, quantised(toLon, 360), quantised(toLat, 180), x, y, ALL_OWN)
}

/** A box, in two where it crosses the antimeridian. */
function eastward(box: GivenBox): readonly GivenBox[] {
  if (box.west <= box.east) return [box]
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ]
}

function cornersOfBox({ west, east, south, north }: GivenBox): Corners {
  return {
    lons: [west, east, east, west, west],
    lats: [south, south, north, north, south],
  }
}
