/**
 * Our analysis against Lucene's: the cases, what a chain of ours makes of a text in the form that
 * the oracle answers in, and the recorded outcomes, a few characters of a hash for each text.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Chain } from '../../src/analysis/analyzer/chain.ts'
import { IllegalArgumentError } from '../../src/util/errors.ts'
import type { LuceneSpec, Outcome } from './lucene/lucene-oracle.ts'

/** Texts in which ours differs from Lucene, knowingly. */
export interface KnownDifference {
  readonly cause: string
  /** The text has what leads to it. */
  readonly applies: (text: string) => boolean
}

/** A component or analyzer, theirs and ours. */
export interface AnalysisCase {
  /** Name of the file of vectors too. */
  readonly name: string
  readonly lucene: LuceneSpec
  /** Made when it is run. */
  readonly ours: () => Chain
  readonly texts: () => readonly string[]
  readonly known?: readonly KnownDifference[]
}

/** At most this share of the texts may differ, each by a known cause. */
export const MOST_DIFFERENT = 0.005

const HASH_LENGTH = 4
const HASHES_A_LINE = 24
const FOLDER = fileURLToPath(new URL('../analysis/vectors', import.meta.url))

/** What a chain of ours makes of a text, as the oracle would say it. */
export function ourOutcome(chain: Chain, text: string): Outcome {
  try {
    return tokensOf(chain, text)
  } catch (error) {
    if (!(error instanceof IllegalArgumentError)) throw error
    return { error: `java.lang.IllegalArgumentException: ${error.message}` }
  }
}

function tokensOf(chain: Chain, text: string): Outcome {
  const stream = chain.open(text)
  const { token } = stream
  const out: unknown[] = []
  while (stream.next())
    out.push([
      token.term,
      token.startOffset,
      token.endOffset,
      token.type,
      token.positionIncrement,
      token.positionLength,
      token.isKeyword ? 1 : 0,
      token.termFrequency,
      token.payload === null ? null : Buffer.from(token.payload).toString('hex'),
    ])
  stream.end()
  out.push([token.endOffset, token.positionIncrement])
  return out
}

/** Where the vectors of a case lie. */
export function vectorFile(name: string): string {
  return join(FOLDER, `${name}.txt`)
}

/** The hashes that were recorded, null where none were. */
export function recordedHashes(name: string): readonly string[] | null {
  const file = vectorFile(name)
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8').replaceAll('\n', '')
  const hashes: string[] = []
  for (let at = 0; at < text.length; at += HASH_LENGTH)
    hashes.push(text.slice(at, at + HASH_LENGTH))
  return hashes
}

/** A file of vectors as text. */
export function vectorText(hashes: readonly string[]): string {
  let text = ''
  for (let i = 0; i < hashes.length; i += HASHES_A_LINE)
    text += `${hashes.slice(i, i + HASHES_A_LINE).join('')}\n`
  return text
}

/** 24 bits of an outcome. */
export function outcomeHash(outcome: Outcome): string {
  const digest = createHash('sha256').update(JSON.stringify(outcome)).digest('base64url')
  return digest.slice(0, HASH_LENGTH)
}

/** The known cause of a difference in a text, null where there is none. */
export function knownCause(each: AnalysisCase, text: string): string | null {
  return each.known?.find(difference => difference.applies(text))?.cause ?? null
}
