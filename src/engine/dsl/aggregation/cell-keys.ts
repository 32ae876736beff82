/** The keys that say which cells places fall into: precision and bounds. */
import { CELL_GRIDS, type CellGridName } from '../../../aggregation/geo/cells/cell-grids.ts'
import { hexLibrary } from '../../../aggregation/geo/cells/geohex-grid.ts'
import { invalidZoom } from '../../../aggregation/geo/cells/geotile-grid.ts'
import type { CellPlan } from '../../../aggregation/geo/cells/place-cells.ts'
import { parseDistance } from '../../../util/distance.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { wantedGeohashDigits } from '../../../util/geohash.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { boxesOf, readSides } from '../geo-box.ts'
import { readInteger, readText } from '../json-scalars.ts'
import type { FieldReaders } from './object-fields.ts'

/** The cells as a request asks for them. */
export type CellKeys = { -readonly [K in keyof CellPlan]: CellPlan[K] }

/**
 * Cells that are asked for without keys.
 * @throws {IllegalArgumentError} the grid needs a package that is not installed
 */
export function newCellKeys(grid: CellGridName): CellKeys {
  if (grid === 'geohex') hexLibrary()
  return { grid, precision: CELL_GRIDS[grid].defaultPrecision, bounds: null }
}

/** Readers of the keys. */
export function cellReaders(keys: CellKeys): FieldReaders {
  const { grid } = keys
  return {
    precision: value => {
      keys.precision = grid === 'geohash' ? readDigits(value) : readInteger(value)
      const { minPrecision, maxPrecision } = CELL_GRIDS[grid]
      if (keys.precision < minPrecision || keys.precision > maxPrecision)
        throw INVALID[grid](keys.precision)
    },
    bounds: value => {
      keys.bounds = boxesOf(readSides(value))
    },
  }
}

/** The errors of precisions that grids do not have. */
const INVALID: { readonly [G in CellGridName]: (precision: number) => IllegalArgumentError } = {
  geohash: digits =>
    new IllegalArgumentError(
      `Invalid geohash aggregation precision of ${digits}. Must be between 1 and 12.`,
    ),
  geotile: invalidZoom,
  geohex: resolution =>
    new IllegalArgumentError(`Invalid precision of ${resolution} . Must be between 0 and 15.`),
}

/** A number of digits, or the distance that cells are about as wide as. */
function readDigits(node: JsonNode): number {
  const text = readText(node)
  if (node.kind === 'number' || /^[+-]?\d+$/.test(text)) return readInteger(node)
  const metres = parseDistance(text)
  if (metres === null) throw new IllegalArgumentError(`For input string: "${text}"`)
  const digits = wantedGeohashDigits(metres)
  if (digits > CELL_GRIDS.geohash.maxPrecision)
    throw new IllegalArgumentError(`precision too high [${text}]`)
  return digits
}
