import { describe, expect, it } from 'vitest'
import { NO_MORE_DOCS } from '../../../src/codec/doc-id-iterator.ts'
import { createWeight } from '../../../src/search/query/create-weight.ts'
import type { IntervalSource, Query } from '../../../src/search/query/query.ts'
import { exactIterator } from '../../../src/search/scorer/scorer.ts'
import { UNWATCHED } from '../../../src/search/scorer/watch.ts'
import { scorerSupplier } from '../../../src/search/weight/weight-ops.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { Oracle } from '../../support/oracle.ts'
import { type PlainDocument, plainLeaf } from '../../support/plain-leaf.ts'
import { scorerContext } from '../../support/scorer-context.ts'
import { testArena } from '../../support/test-arena.ts'

const FIELDS = { text: ['body'], keywords: [], numbers: [] }

function document(id: string, text: string): PlainDocument {
  const body = new Map([['body', text.split(' ')]])
  return { id, text: body, keywords: new Map(), numbers: new Map(), isLive: true }
}

/** Leaves of a snapshot, each of texts, and all of these as one shard of the oracle. */
function shardOf(...texts: readonly (readonly string[])[]): { leaves: Leaf[]; oracle: Oracle } {
  const arena = testArena(8 << 20)
  const documents = texts.map(each => each.map((text, i) => document(`d${i}`, text)))
  let docBase = 0
  const leaves = documents.map((each, ord) => {
    const leaf = plainLeaf(arena, each, FIELDS, { uid: ord, ord, docBase })
    docBase += each.length
    return leaf
  })
  return { leaves, oracle: new Oracle(documents.flat()) }
}

function scores(leaves: readonly Leaf[], query: Query): { doc: number; score: number }[] {
  const weight = createWeight(query, leaves, true)
  return leaves.flatMap((leaf, ord) => {
    const context = scorerContext(weight, leaf, { states: weight.leaves[ord]! })
    const scorer = scorerSupplier(weight.root, context)?.get(leaf.maxDoc)
    if (scorer === undefined) return []
    const iterator = exactIterator(scorer, UNWATCHED)
    const found: { doc: number; score: number }[] = []
    for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc())
      found.push({ doc: leaf.docBase + doc, score: scorer.score() })
    return found
  })
}

const extended = (term: string, before: number, after: number): IntervalSource => ({
  kind: 'extend',
  source: { kind: 'term', term },
  before,
  after,
})

describe('extended alternatives', () => {
  const source: IntervalSource = {
    kind: 'or',
    sources: [extended('sea', 2, 0), extended('kelp', 0, 1)],
  }
  const query: Query = { kind: 'positionIntervals', field: 'body', source }
  // Extended at the start of a text they contain each other: 0–0, 0–1, 0–2 and 1–3, of which 0–0 and
  // 1–3 are minimal. S = 1 + 1/2 at a least width of 2, the score 1 − 1/(1 + S).
  const text = 'sea sea sea sea'
  const score = Math.fround(1 - Math.fround(1 / 2.5))

  it.each<[string, readonly (readonly string[])[]]>([
    ['where no document has the other one', [[text]]],
    ['where another document has it', [[text, 'reef kelp']]],
    ['where a document of another leaf has it', [[text], ['reef kelp']]],
  ])('count the minimal ones %s', (_title, texts) => {
    const { leaves, oracle } = shardOf(...texts)
    const found = scores(leaves, query)
    expect(found).toContainEqual({ doc: 0, score })
    expect(found.sort((a, b) => b.score - a.score || a.doc - b.doc)).toEqual(oracle.search(query))
  })

  it('are no alternatives where there is one', () => {
    const alone: IntervalSource = { kind: 'or', sources: [extended('sea', 2, 0)] }
    const { leaves, oracle } = shardOf([text])
    const single: Query = { kind: 'positionIntervals', field: 'body', source: alone }
    // All four count, at a least width of 3: S = 4.
    const all = [{ doc: 0, score: Math.fround(0.8) }]
    expect(scores(leaves, single)).toEqual(all)
    expect(oracle.search(single)).toEqual(all)
  })
})
