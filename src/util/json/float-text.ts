/**
 * Text of floating-point numbers as Java writes them since release 19, which the wire uses: the
 * shortest digits that read back as the same number, always with a fraction; from 10^-3 up to 10^7
 * plain (`1.0`, `0.19363807`), outside of it with an exponent (`1.0E10`, `2.5E-4`).
 */

/** Text of a double, as `Double.toString`. Not-a-number and infinities give their Java names. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value) || value === 0) return specialText(value)
  const digits = Math.abs(value).toExponential()
  // Java prints at least two digits, the nearest two-digit number (4.9E-324).
  const exact = digits.indexOf('e') === 1 ? Math.abs(value).toExponential(1) : digits
  return layOut(value < 0, exact)
}

/** Text of a single-precision number, as `Float.toString`; other doubles are rounded first. */
export function floatText(value: number): string {
  const single = Math.fround(value)
  if (!Number.isFinite(single) || single === 0) return specialText(single)
  const size = Math.abs(single)
  // Nine significant digits distinguish any two floats; most scores need eight.
  for (let fraction = 1; fraction < 8; fraction++) {
    const digits = size.toExponential(fraction)
    if (Math.fround(Number(digits)) === size) return layOut(single < 0, digits)
  }
  return layOut(single < 0, size.toExponential(8))
}

function specialText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? 'Infinity' : '-Infinity'
}

/** `d.ddde±x` in Java's layout. */
function layOut(isNegative: boolean, exponential: string): string {
  const at = exponential.indexOf('e')
  const digits = (exponential[0]! + exponential.slice(2, at)).replace(/0+$/, '')
  const exponent = Number(exponential.slice(at + 1))
  const sign = isNegative ? '-' : ''
  if (exponent < -3 || exponent >= 7) {
    return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
