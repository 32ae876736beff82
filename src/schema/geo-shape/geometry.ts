/** Shapes on the Earth as documents and requests give them, in degrees that are not yet held against their limits. */
import { EngineError } from '../../util/errors.ts'

/** A corner of a shape. */
export interface Position {
  readonly lon: number
  readonly lat: number
  /** A height, which nothing reads but the printers; null: none was given. */
  readonly z: number | null
}

/** The corners of a line, two or more. */
export type Path = readonly Position[]

/** A closed path of four corners or more, the last the same as the first. */
export type Ring = Path

/** An outline, and the rings of its holes. */
export interface Outline {
  readonly shell: Ring
  readonly holes: readonly Ring[]
}

/** A shape. Empty lists are empty shapes, which well-known text can write. */
export type Geometry =
  | { readonly kind: 'Point'; readonly at: Position | null }
  | { readonly kind: 'MultiPoint'; readonly points: readonly Position[] }
  | { readonly kind: 'LineString'; readonly path: Path }
  | { readonly kind: 'MultiLineString'; readonly paths: readonly Path[] }
  /** Null: an empty one. */
  | { readonly kind: 'Polygon'; readonly outline: Outline | null }
  | { readonly kind: 'MultiPolygon'; readonly outlines: readonly Outline[] }
  | { readonly kind: 'Envelope'; readonly box: GivenBox | null }
  | { readonly kind: 'Circle'; readonly center: Position; readonly meters: number }
  | { readonly kind: 'GeometryCollection'; readonly geometries: readonly Geometry[] }

/** A box between two latitudes and two longitudes; where `west` is above `east` it crosses the antimeridian. */
export interface GivenBox {
  readonly west: number
  readonly east: number
  readonly north: number
  readonly south: number
}

/** How shapes are read. */
export interface ShapeReading {
  /** Whether rings that are not closed are closed. */
  readonly coerce: boolean
  /** Whether heights are passed over; else they are refused. */
  readonly ignoresZ: boolean
}

/** The error of a value that is no shape. */
export function shapeFailure(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
