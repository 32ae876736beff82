/** Queries over several fields as one, the plain way. */
import { CODED_LENGTHS, encodeLength } from '../../src/codec/norms/length-code.ts'
import type { BlendedQuery, CombinedFieldsQuery } from '../../src/search/query/query.ts'
import { type PlainBm25, tokensOf } from './plain-bm25.ts'
import type { PlainDocument } from './plain-leaf.ts'

const f32 = Math.fround

/** The document frequencies that blended terms are scored with; 0: the term does not occur. */
export function plainBlend(
  terms: BlendedQuery['terms'],
  maxDoc: number,
  of: (field: string) => PlainBm25,
): number[] {
  const own = terms.map(({ field, term }) => of(field).docFreq(term))
  if (terms.length === 1) return own
  const found = terms.filter((_, i) => own[i]! > 0)
  const cap = Math.min(maxDoc, ...found.map(({ field }) => of(field).counts.tokens))
  const steps = [...new Set(own)].sort((a, b) => b - a)
  const most = Math.min(cap, steps[0] ?? 0)
  return own.map((freq, i) => {
    const { documents } = of(terms[i]!.field).counts
    return freq === 0 ? 0 : Math.min(cap, documents, most + steps.indexOf(freq))
  })
}

/** The score of terms in fields taken as one; null where none occurs. */
export function plainCombined(
  { fields, terms, similarity }: CombinedFieldsQuery,
  document: PlainDocument,
  boost: number,
  of: (field: string) => PlainBm25,
): number | null {
  let [freq, length, tokens, documents, docFreq] = [0, 0, 0, 0, 0]
  for (const { field, weight } of fields) {
    const own = tokensOf(document, field)
    for (const term of terms) {
      freq = f32(freq + f32(weight * own.filter(token => token === term).length))
      docFreq = Math.max(docFreq, of(field).docFreq(term))
    }
    if (document.text.has(field))
      length = f32(length + f32(weight * CODED_LENGTHS[encodeLength(own.length)]!))
    tokens = Math.trunc(tokens + weight * of(field).counts.tokens)
    documents = Math.max(documents, of(field).counts.documents)
  }
  if (freq === 0) return null
  const idf = f32(Math.log(1 + (documents - docFreq + 0.5) / (docFreq + 0.5)))
  const weight = f32(f32(boost * (similarity?.factor ?? 1)) * idf)
  const coded = CODED_LENGTHS[encodeLength(Math.round(length))]!
  const { k1, b } = similarity?.parameters ?? { k1: f32(1.2), b: f32(0.75) }
  const share = f32(f32(b * f32(coded)) / f32(tokens / documents))
  const inverse = f32(1 / f32(k1 * f32(f32(1 - b) + share)))
  return f32(weight - f32(weight / f32(1 + f32(freq * inverse))))
}
