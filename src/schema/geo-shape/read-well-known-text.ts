/** Shapes as well-known text (OGC 06-103r4), with the boxes and circles that the real API adds to it. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { type Geometry, type Position, type ShapeReading, shapeFailure } from './geometry.ts'
import { givenBox, outline, path, position, ring } from './shape-parts.ts'

/** How deep collections may stand in one another. */
const MAX_DEPTH = 1000

/** Words, commas and parentheses; all else but blanks and comments is refused. */
const TOKENS = /\s+|#[^\n]*|([A-Za-z0-9+\-.\u00a0-\u00ff]+|[(),])|([\s\S])/g

/** Names by their kinds, in lower case. */
const READERS: { readonly [name: string]: (text: TextReader) => Geometry } = {
  point: text => ({
    kind: 'Point',
    at: text.isEmpty() ? null : text.closed(() => text.position()),
  }),
  multipoint: text => ({
    kind: 'MultiPoint',
    points: text.isEmpty() ? [] : text.rest(() => text.position()),
  }),
  linestring: text => ({
    kind: 'LineString',
    path: text.isEmpty() ? [] : path(text.rest(() => text.position())),
  }),
  multilinestring: text => ({
    kind: 'MultiLineString',
    paths: text.isEmpty()
      ? []
      : text.rest(() => (text.isEmpty() ? [] : path(text.rest(() => text.position())))),
  }),
  polygon: text => ({ kind: 'Polygon', outline: readOutline(text) }),
  multipolygon: text => ({
    kind: 'MultiPolygon',
    outlines: text.isEmpty()
      ? []
      : text.rest(() => readOutline(text)).filter(each => each !== null),
  }),
  bbox: readBox,
  circle: readCircle,
}

/**
 * Reads a shape.
 * @throws {EngineError} `parse_exception`, `illegal_argument_exception`: it is none
 */
export function readWellKnownText(given: string, reading: ShapeReading): Geometry {
  return readShape(new TextReader(given, reading), 0)
}

function readShape(text: TextReader, depth: number): Geometry {
  const name = text.word().toLowerCase()
  if (name === 'geometrycollection') {
    if (depth >= MAX_DEPTH)
      throw new IllegalArgumentError(
        `a geometry collection with a depth greater than ${MAX_DEPTH} is not supported`,
      )
    const geometries = text.isEmpty() ? [] : text.rest(() => readShape(text, depth + 1))
    return { kind: 'GeometryCollection', geometries }
  }
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined
  if (reader === undefined) throw new IllegalArgumentError(`Unknown geometry type: ${name}`)
  return reader(text)
}

function readOutline(text: TextReader): ReturnType<typeof outline> | null {
  if (text.isEmpty()) return null
  const rings = text.rest(() => {
    text.expect('(')
    return ring(
      text.rest(() => text.position()),
      text.reading,
    )
  })
  return outline([rings[0]!, ...rings.slice(1)])
}

function readBox(text: TextReader): Geometry {
  if (text.isEmpty()) return { kind: 'Envelope', box: null }
  const sides: number[] = []
  for (let i = 0; i < 4; i++) {
    if (i > 0) text.expect(',')
    sides.push(text.number())
  }
  text.expect(')')
  return { kind: 'Envelope', box: givenBox(sides[0]!, sides[1]!, sides[2]!, sides[3]!) }
}

function readCircle(text: TextReader): Geometry {
  if (text.isEmpty()) return { kind: 'GeometryCollection', geometries: [] }
  const lon = text.number()
  const lat = text.number()
  const meters = text.number()
  const z = text.isNumber() ? text.number() : null
  text.expect(')')
  return { kind: 'Circle', center: position(lon, lat, z, text.reading), meters }
}

/** Takes a text apart, one token after another. */
class TextReader {
  readonly reading: ShapeReading
  readonly #tokens: readonly string[]
  #at = 0
  /** Whether the path that is read has heights; null: at its first position. */
  #hasHeights: boolean | null = null

  constructor(text: string, reading: ShapeReading) {
    this.reading = reading
    const tokens: string[] = []
    for (const [, token, other] of text.matchAll(TOKENS))
      if (token !== undefined || other !== undefined) tokens.push(token ?? `'${other}'`)
    this.#tokens = tokens
  }

  word(): string {
    const token = this.#next()
    if (token === null || token.startsWith("'")) throw this.#failure('word', token)
    return token
  }

  number(): number {
    const token = this.#next()
    if (token === null || !isWord(token)) throw this.#failure('number', token)
    if (token.toLowerCase() === 'nan') return Number.NaN
    const value = Number(token)
    if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(token)) return value
    throw shapeFailure(`invalid number found: ${token}`)
  }

  isNumber(): boolean {
    const token = this.#tokens[this.#at]
    return token !== undefined && isWord(token)
  }

  /** Reads a position, of as many numbers as the other ones of its path. */
  position(): Position {
    const lon = this.number()
    const lat = this.number()
    const z = this.isNumber() ? this.number() : null
    this.#hasHeights ??= z !== null
    if (this.#hasHeights !== (z !== null))
      throw shapeFailure(
        `coordinate dimensions do not match: ${this.#tokens[this.#at] ?? 'END-OF-STREAM'}`,
      )
    return position(lon, lat, z, this.reading)
  }

  /** Passes over `EMPTY`, which is true, or over an opening parenthesis. */
  isEmpty(): boolean {
    const token = this.#next()
    this.#hasHeights = null
    if (token === '(') return false
    if (token?.toUpperCase() === 'EMPTY') return true
    throw this.#failure('EMPTY or (', token)
  }

  /** Reads one item and the parenthesis behind it. */
  closed<T>(item: () => T): T {
    const value = item()
    this.expect(')')
    return value
  }

  /** Reads the items of a list up to its parenthesis. */
  rest<T>(item: () => T): T[] {
    const items: T[] = []
    for (;;) {
      items.push(item())
      const token = this.#next()
      if (token === ')') break
      if (token !== ',') throw this.#failure(', or )', token)
    }
    this.#hasHeights = null
    return items
  }

  expect(wanted: '(' | ')' | ','): void {
    const token = this.#next()
    if (token !== wanted) throw this.#failure(wanted, token)
  }

  #next(): string | null {
    return this.#tokens[this.#at++] ?? null
  }

  #failure(wanted: string, token: string | null): ReturnType<typeof shapeFailure> {
    const shown = token === null ? 'END-OF-STREAM' : isPunctuation(token) ? `'${token}'` : token
    return shapeFailure(`expected ${wanted} but found: ${shown}`)
  }
}

function isPunctuation(token: string): boolean {
  return token === '(' || token === ')' || token === ','
}

function isWord(token: string): boolean {
  return !isPunctuation(token) && !token.startsWith("'")
}
