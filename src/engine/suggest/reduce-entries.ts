import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import type { SuggestEntry, SuggestOption } from './suggester.ts'

/** The order of options: by score or frequency, then the other; or by score alone. */
export type OptionOrder = 'score' | 'frequency' | 'scoreAlone'

/**
 * Puts the answers of shards together entry by entry: equal options become one, with the best score and
 * the sum of the frequencies.
 * @param size max options of an entry
 * @throws {EngineError} `illegal_state_exception`: the shards analysed the text differently
 */
export function reduceEntries(
  answers: readonly (readonly SuggestEntry[])[],
  size: number,
  order: OptionOrder,
): readonly SuggestEntry[] {
  const [first = []] = answers
  if (answers.length === 1)
    return first.map(entry => ({ ...entry, options: entry.options.slice(0, size) }))
  return first.map((leader, at) => {
    const entries = answers.map(answer => {
      if (answer.length !== first.length)
        throw differing(
          'suggest result',
          `Suggest entries have different sizes actual [${answer.length}] expected [${first.length}]`,
        )
      return answer[at]!
    })
    for (const key of ['text', 'offset', 'length'] as const)
      for (const entry of entries)
        if (entry[key] !== leader[key])
          throw differing(
            'suggest entries',
            `Suggest entries have different ${key} actual [${entry[key]}] expected [${leader[key]}]`,
          )
    const cutoff = Math.max(...entries.map(entry => entry.cutoff))
    return { ...leader, cutoff, options: reduceOptions(entries, cutoff, size, order) }
  })
}

function reduceOptions(
  entries: readonly SuggestEntry[],
  cutoff: number,
  size: number,
  order: OptionOrder,
): readonly SuggestOption[] {
  const merged = new Map<string, SuggestOption>()
  for (const { options } of entries)
    for (const option of options) {
      const known = merged.get(option.text)
      if (known === undefined) merged.set(option.text, option)
      else
        merged.set(option.text, {
          ...known,
          score: Math.max(known.score, option.score),
          freq: known.freq + option.freq,
          collateMatch: anyOf(known.collateMatch, option.collateMatch),
        })
    }
  const kept = [...merged.values()].filter(({ score }) => score > cutoff)
  return kept.sort((a, b) => compareOptions(a, b, order)).slice(0, size)
}

/** Whether one of them is so; null: neither was asked. */
function anyOf(a: boolean | null, b: boolean | null): boolean | null {
  return a === null ? b : a || b === true
}

function compareOptions(a: SuggestOption, b: SuggestOption, order: OptionOrder): number {
  const byScore = b.score - a.score
  const byFrequency = b.freq - a.freq
  const [first, second] = order === 'frequency' ? [byFrequency, byScore] : [byScore, byFrequency]
  return first || (order === 'scoreAlone' ? 0 : second) || compareText(a.text, b.text)
}

/** Texts in order of their UTF-8. */
export function compareText(a: string, b: string): number {
  return compareBytes(encodeUtf8(a), encodeUtf8(b))
}

function differing(what: string, detail: string): EngineError {
  return new EngineError({
    type: 'illegal_state_exception',
    reason:
      `Can't merge ${what}, this might be caused by suggest calls across multiple indices with ` +
      `different analysis chains. ${detail}`,
    status: 400,
  })
}
