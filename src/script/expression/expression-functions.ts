/** The functions of expressions over doubles, as Lucene computes them. */
import { arcDistance } from '../../util/geo-distance.ts'

type MathFunction = (...inputs: number[]) => number

const FUNCTIONS: Readonly<Record<string, MathFunction>> = {
  abs: (x: number) => Math.abs(x),
  acos: (x: number) => Math.acos(x),
  acosh: (x: number) => Math.log(Math.sqrt(x * x - 1) + x),
  asin: (x: number) => Math.asin(x),
  asinh: (x: number) => withSign(x, size => Math.log(Math.sqrt(size * size + 1) + size)),
  atan: (x: number) => Math.atan(x),
  atan2: (y: number, x: number) => Math.atan2(y, x),
  atanh: (x: number) => withSign(x, size => 0.5 * Math.log((1 + size) / (1 - size))),
  ceil: (x: number) => Math.ceil(x),
  cos: (x: number) => Math.cos(x),
  cosh: (x: number) => Math.cosh(x),
  exp: (x: number) => Math.exp(x),
  floor: (x: number) => Math.floor(x),
  haversin: (latA: number, lonA: number, latB: number, lonB: number) =>
    arcDistance({ lat: latA, lon: lonA }, { lat: latB, lon: lonB }) / 1000,
  ln: (x: number) => Math.log(x),
  log10: (x: number) => Math.log10(x),
  logn: (base: number, x: number) => Math.log(x) / Math.log(base),
  max: (a: number, b: number) => Math.max(a, b),
  min: (a: number, b: number) => Math.min(a, b),
  pow: (base: number, exponent: number) => base ** exponent,
  sin: (x: number) => Math.sin(x),
  sinh: (x: number) => Math.sinh(x),
  sqrt: (x: number) => Math.sqrt(x),
  tan: (x: number) => Math.tan(x),
  tanh: (x: number) => Math.tanh(x),
}

/** A function; its `length` is its number of arguments. Null: there is none of that name. */
export function functionNamed(name: string): MathFunction | null {
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]! : null
}

/** An odd function, by its values for what is not negative. */
function withSign(x: number, of: (size: number) => number): number {
  return x < 0 || Object.is(x, -0) ? -of(-x) : of(x)
}
