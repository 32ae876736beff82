/** The components of shapes that are asked for, and triangles of an index in degrees. */
import { decodedDegrees, quantised } from '../../../schema/geo-shape/quantised.ts'
import type { SimpleShape } from '../../../schema/geo-shape/simple-shape.ts'
import { BoxComponent } from './box-component.ts'
import { CircleComponent } from './circle-component.ts'
import type { ShapeComponent } from './component.ts'
import { LineComponent } from './line-component.ts'
import type { Triangle } from './plane.ts'
import { PointComponent } from './point-component.ts'
import { PolygonComponent } from './polygon-component.ts'

/** The component of a shape; of a box that does not cross the antimeridian. */
export function componentOf(shape: SimpleShape): ShapeComponent {
  switch (shape.kind) {
    case 'point':
      return new PointComponent(rounded(shape.lon, 360), rounded(shape.lat, 180))
    case 'line':
      return new LineComponent(shape.path)
    case 'polygon':
      return new PolygonComponent(shape.rings)
    case 'box': {
      const { west, east, south, north } = shape.box
      return new BoxComponent({
        west: raised(west, 360),
        east: rounded(east, 360),
        south: raised(south, 180),
        north: rounded(north, 180),
      })
    }
    case 'circle':
      return new CircleComponent({ lat: shape.lat, lon: shape.lon }, shape.meters)
  }
}

/** Degrees as an index would give them back. */
function rounded(degrees: number, span: number): number {
  return decodedDegrees(quantised(degrees, span), span)
}

/** The lowest degrees of an index that are not below some. */
function raised(degrees: number, span: number): number {
  const coordinate = quantised(degrees, span)
  const isBelow = decodedDegrees(coordinate, span) < degrees && coordinate < 2147483647
  return decodedDegrees(isBelow ? coordinate + 1 : coordinate, span)
}

/** Sign bit: flipped in words, so that they compare as unsigned. */
const SIGN = 0x80000000
const LON_STEP = decodedDegrees(1, 360)
const LAT_STEP = decodedDegrees(1, 180)

/** Reads the words of a triangle (`schema/geo-shape/shape-triangles.ts`) into `to`. */
export function decodeTriangle(words: Uint32Array, to: Triangle): void {
  const lon = (i: number): number => (words[i]! ^ SIGN) * LON_STEP
  const lat = (i: number): number => (words[i]! ^ SIGN) * LAT_STEP
  const edges = words[6]!
  to.ax = lon(0)
  to.ay = lat(1)
  to.bx = lon(2)
  to.by = lat(3)
  to.cx = lon(4)
  to.cy = lat(5)
  to.ownsAB = (edges & 1) !== 0
  to.ownsBC = (edges & 2) !== 0
  to.ownsCA = (edges & 4) !== 0
  to.west = Math.min(to.ax, to.bx, to.cx)
  to.east = Math.max(to.ax, to.bx, to.cx)
  to.south = Math.min(to.ay, to.by, to.cy)
  to.north = Math.max(to.ay, to.by, to.cy)
  const isSegment = to.cx === to.ax && to.cy === to.ay
  if (!isSegment) to.corners = 3
  else to.corners = to.bx === to.ax && to.by === to.ay ? 1 : 2
}
