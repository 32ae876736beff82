import { describe, expect, it } from 'vitest'
import {
  knownCause,
  MOST_DIFFERENT,
  ourOutcome,
  outcomeHash,
  recordedHashes,
} from '../support/analysis-vectors.ts'
import { LuceneOracle } from '../support/lucene/lucene-oracle.ts'
import { analysisCases } from './cases/all.ts'

describe('analysis gives what Lucene gave when the vectors were recorded', () => {
  it.each(analysisCases().map(each => [each.name, each] as const))('%s', (name, each) => {
    const hashes = recordedHashes(name)
    const texts = each.texts()
    expect(hashes?.length).toBe(texts.length)
    const chain = each.ours()
    const unexplained: string[] = []
    let explained = 0
    for (const [i, text] of texts.entries()) {
      if (outcomeHash(ourOutcome(chain, text)) === hashes?.[i]) continue
      if (knownCause(each, text) === null) unexplained.push(text)
      else explained++
    }
    expect(unexplained).toEqual([])
    expect(explained).toBeLessThanOrEqual(texts.length * MOST_DIFFERENT)
  })
})

// Wants Java and Debian's liblucene8-java; `npm run analysis:oracle` prints the differences.
describe.runIf(process.env['LAMELLA_ANALYSIS_ORACLE'] === '1')('recorded vectors', () => {
  it('are what Lucene gives', async () => {
    const oracle = new LuceneOracle()
    const stale: string[] = []
    for (const each of analysisCases()) {
      await oracle.setTexts(each.texts())
      const hashes = (await oracle.run(each.lucene)).map(outcomeHash)
      if (hashes.join() !== recordedHashes(each.name)?.join()) stale.push(each.name)
    }
    oracle.close()
    expect(stale).toEqual([])
  }, 600_000)
})
