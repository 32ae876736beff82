/** Metres of each unit, longer names before those that they end with. */
const UNITS: readonly (readonly [name: string, metres: number])[] = [
  ['millimeters', 0.001],
  ['centimeters', 0.01],
  ['kilometers', 1000],
  ['nauticalmiles', 1852],
  ['meters', 1],
  ['inch', 0.0254],
  ['yards', 0.9144],
  ['feet', 0.3048],
  ['miles', 1609.344],
  ['nmi', 1852],
  ['NM', 1852],
  ['mm', 0.001],
  ['cm', 0.01],
  ['km', 1000],
  ['in', 0.0254],
  ['yd', 0.9144],
  ['ft', 0.3048],
  ['mi', 1609.344],
  ['m', 1],
]

/** A distance with its unit, `5km`, in metres; one without is in metres. Null: it is none. */
export function parseDistance(text: string): number | null {
  const trimmed = text.trim()
  const unit = UNITS.find(([name]) => trimmed.endsWith(name))
  const number = (unit === undefined ? trimmed : trimmed.slice(0, -unit[0].length)).trim()
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(number)) return null
  return Number(number) * (unit?.[1] ?? 1)
}
