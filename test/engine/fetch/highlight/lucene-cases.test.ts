import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../../../src/analysis/registry.ts'
import { tokensOf } from '../../../../src/engine/fetch/highlight/field-tokens.ts'
import { highlighterOf } from '../../../../src/engine/fetch/highlight/highlighters.ts'
import { soughtBy } from '../../../../src/engine/fetch/highlight/sought.ts'
import type { Query } from '../../../../src/search/query/query.ts'
import { Turn } from '../../../../src/util/turns.ts'

/** A highlighted text; `found` is what Lucene's highlighter of the name gives. */
interface Case {
  readonly highlighter: 'unified' | 'plain' | 'fvh'
  readonly fragmentSize: number
  readonly fragments: number
  readonly byScore: boolean
  /** The boundary scanner; of `plain` the fragmenter. */
  readonly cut: string
  readonly clauses: readonly Query[]
  readonly values: readonly string[]
  readonly found: readonly string[]
}

/**
 * Random texts and queries. `unified` runs as the reference server runs it: terms apart, phrases where
 * they match, passages of sentences within a size; `fvh` with three tags in turn, over one value: later
 * releases of Lucene cut fragments at the end of a value differently.
 */
const CASES: readonly Case[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'lucene-cases.json'), 'utf8'),
)

const by = { analyzer: new AnalysisRegistry(new Map()).analyzer('standard')!, gap: 100, tail: null }
const TAGS = {
  unified: [['<em>'], ['</em>']],
  plain: [['<em>'], ['</em>']],
  fvh: [['<1>', '<2>', '<3>'], ['</>']],
} as const

function highlight({ highlighter, clauses, values, ...asked }: Case): readonly string[] {
  const query: Query = {
    kind: 'boolean',
    clauses: clauses.map(clause => ({ occur: 'should', query: clause })),
    minimumShouldMatch: 0,
  }
  const kind = highlighterOf(highlighter, 'f')
  const sought = soughtBy(query, () => true, kind.positions)
  const [preTags, postTags] = TAGS[highlighter]
  const make = kind.make({
    name: 'f',
    field: {
      name: 'f',
      positionIncrementGap: 100,
      indexed: true,
      parameters: new Map([['term_vector', 'with_positions_offsets']]),
    } as never,
    options: {
      pattern: 'f',
      type: highlighter,
      preTags,
      postTags,
      fragmentSize: asked.fragmentSize,
      numberOfFragments: asked.fragments,
      fragmenter: highlighter === 'plain' ? asked.cut : null,
      isByScore: asked.byScore,
      requireFieldMatch: true,
      query: null,
      noMatchSize: 0,
      forceSource: false,
      boundaryScanner:
        highlighter === 'plain' ? null : (asked.cut as 'chars' | 'word' | 'sentence'),
      boundaryLocale: null,
      boundaryChars: '.,!? \t\n',
      boundaryMaxScan: 20,
      phraseLimit: 2147483647,
      maxAnalyzerOffset: null,
      fragmentOffset: -1,
      matchedFields: [],
    },
    matched: [
      {
        sought,
        by,
        tokens: (_document, texts, limit, turn) => tokensOf(texts, by, sought, limit, turn),
      },
    ],
    hasOffsets: true,
    markup: { preTag: preTags[0], postTag: postTags[0], encode: text => text },
    index: 'i',
    maxAnalyzedOffset: 1_000_000,
  })
  const reading = make({} as never, values, new Turn())
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value ?? []
  }
}

describe('highlighters', () => {
  it.each(['unified', 'plain', 'fvh'])('give what Lucene gives: %s', name => {
    const own = CASES.filter(({ highlighter }) => highlighter === name)
    expect(own.length).toBeGreaterThan(60)
    for (const each of own) expect({ ...each, found: highlight(each) }).toEqual(each)
  })
})
