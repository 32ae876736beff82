import type { BlockScoreMode } from '../../../search/scorer/block-join-scorer.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'

const SCORE_MODES: readonly string[] = ['avg', 'sum', 'min', 'max', 'none']

/**
 * How the scores of several documents become that of the one that they belong to.
 * @throws {IllegalArgumentError} no such mode
 */
export function readScoreMode(text: string): BlockScoreMode {
  if (SCORE_MODES.includes(text)) return text as BlockScoreMode
  throw new IllegalArgumentError(`No score mode for child query [${text}] found`)
}
