/** Scores of how much more frequent a term is in some documents than in all: plain data, and their formulas. */
import { newReduceRun, type ScriptRun } from '../../script/script-run.ts'
import { scriptEngine } from '../../search/script/script-engine.ts'
import type { ScriptPlan } from '../../search/script/script-plan.ts'
import { IllegalArgumentError } from '../../util/errors.ts'

/** How terms are scored. */
export type Heuristic =
  | { readonly kind: 'script'; readonly script: ScriptPlan }
  | { readonly kind: 'jlh' | 'percentage' }
  | { readonly kind: 'gnd'; readonly isSuperset: boolean }
  | {
      readonly kind: 'chi_square' | 'mutual_information'
      /** Whether the background contains the foreground. */
      readonly isSuperset: boolean
      /** Whether terms score that are less frequent in the foreground than elsewhere. */
      readonly includesNegatives: boolean
    }

/** The documents that have a term, and all: in the foreground and the background. */
export interface Frequencies {
  readonly found: number
  readonly foundOf: number
  readonly background: number
  readonly backgroundOf: number
}

/**
 * The score of a term; −∞ or NaN where it has none.
 * @throws {IllegalArgumentError} the background ought to contain the foreground and does not
 */
export function scoreOf(heuristic: Heuristic, frequencies: Frequencies): number {
  switch (heuristic.kind) {
    case 'script':
      return scriptedScore(heuristic.script, frequencies)
    case 'jlh':
      return jlh(frequencies)
    case 'percentage':
      return frequencies.background === 0 ? 0 : frequencies.found / frequencies.background
    case 'gnd':
      return normalizedDistance(tableOf(frequencies, heuristic.isSuperset))
    case 'chi_square':
      return chiSquare(tableOf(frequencies, heuristic.isSuperset), heuristic.includesNegatives)
    case 'mutual_information':
      return information(tableOf(frequencies, heuristic.isSuperset), heuristic.includesNegatives)
  }
}

/** Limits of a request's script, for all of its terms together. */
const runs = new WeakMap<ScriptPlan, ScriptRun>()

/** A script reads the frequencies as parameters. */
function scriptedScore(
  script: ScriptPlan,
  { found, foundOf, background, backgroundOf }: Frequencies,
): number {
  const params = new Map([
    ['_subset_freq', BigInt(found)],
    ['_subset_size', BigInt(foundOf)],
    ['_superset_freq', BigInt(background)],
    ['_superset_size', BigInt(backgroundOf)],
  ])
  const run = runs.get(script) ?? newReduceRun()
  runs.set(script, run)
  run.restart()
  run.step()
  return scriptEngine().number(script, params, run)
}

/** Absolute times relative change of the share of documents. */
function jlh({ found, foundOf, background, backgroundOf }: Frequencies): number {
  if (foundOf === 0 || backgroundOf === 0) return 0
  const share = found / foundOf
  // A background that lacks the term counts it once, so that scores are finite.
  const backgroundShare = (background === 0 ? 1 : background) / backgroundOf
  const change = share - backgroundShare
  return change <= 0 ? 0 : change * (share / backgroundShare)
}

/** Documents by whether they have the term (first digit) and are in the foreground (second). */
interface Table {
  readonly n11: number
  readonly n01: number
  readonly n10: number
  readonly n00: number
}

const ADVICE =
  ', does your background filter not include all documents in the bucket? If so and it is ' +
  'intentional, please specify "background_is_superset": false'

function tableOf(
  { found, foundOf, background, backgroundOf }: Frequencies,
  isSuperset: boolean,
): Table {
  if (!isSuperset)
    return {
      n11: found,
      n01: foundOf - found,
      n10: background,
      n00: backgroundOf - background,
    }
  if (found > background) throw new IllegalArgumentError(`subsetFreq > supersetFreq${ADVICE}`)
  if (foundOf > backgroundOf) throw new IllegalArgumentError(`subsetSize > supersetSize${ADVICE}`)
  if (background - found > backgroundOf - foundOf)
    throw new IllegalArgumentError(`supersetFreq - subsetFreq > supersetSize - subsetSize${ADVICE}`)
  return {
    n11: found,
    n01: foundOf - found,
    n10: background - found,
    n00: backgroundOf - background - (foundOf - found),
  }
}

/** Google's normalized distance, turned so that close terms score high. */
function normalizedDistance({ n11, n01, n10, n00 }: Table): number {
  const having = n11 + n10
  const inside = n11 + n01
  if (n11 === 0) return 0
  if (having === inside && having === n11) return 1
  const logs = [Math.log(having), Math.log(inside)] as const
  const all = Math.log(n11 + n01 + n10 + n00)
  return Math.exp(-((Math.max(...logs) - Math.log(n11)) / (all - Math.min(...logs))))
}

function chiSquare(table: Table, includesNegatives: boolean): number {
  if (!includesNegatives && isNegative(table)) return Number.NEGATIVE_INFINITY
  const { n11, n01, n10, n00 } = table
  const all = n11 + n01 + n10 + n00
  const dependence = n11 * n00 - n01 * n10
  return (all * (dependence * dependence)) / ((n11 + n01) * (n11 + n10) * (n01 + n00) * (n10 + n00))
}

/** Bits that knowing the foreground tells of the term. */
function information(table: Table, includesNegatives: boolean): number {
  const { n11, n01, n10, n00 } = table
  const all = n11 + n01 + n10 + n00
  const nats =
    share(n00, n01 + n00, n10 + n00, all) +
    share(n01, n01 + n00, n11 + n01, all) +
    share(n10, n11 + n10, n10 + n00, all) +
    share(n11, n11 + n10, n11 + n01, all)
  const score = nats / Math.LN2
  if (Number.isNaN(score)) return Number.NEGATIVE_INFINITY
  return !includesNegatives && isNegative(table) ? Number.NEGATIVE_INFINITY : score
}

/** One cell's term of the sum; one without documents adds nothing. */
function share(cell: number, row: number, column: number, all: number): number {
  return cell === 0 ? 0 : (cell / all) * Math.log((all * cell) / (row * column))
}

/** Whether the term is less frequent in the foreground than elsewhere. */
function isNegative({ n11, n01, n10, n00 }: Table): boolean {
  return n11 / (n11 + n01) < n10 / (n10 + n00)
}
