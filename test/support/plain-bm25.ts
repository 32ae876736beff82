/** BM25 over plain documents: statistics by counting, every step of the score in float32. */
import { CODED_LENGTHS, encodeLength } from '../../src/codec/norms/length-code.ts'
import type { PlainDocument } from './plain-leaf.ts'

const f32 = Math.fround

/** The tokens of a text, or the distinct values of a keyword. */
export function tokensOf(document: PlainDocument, field: string): readonly string[] {
  const text = document.text.get(field)
  return text === undefined
    ? [...new Set(document.keywords.get(field) ?? [])]
    : text.filter(token => token !== '')
}

/** Scores of one field over a shard's documents, deleted ones included. */
export class PlainBm25 {
  readonly #field: string
  readonly #k1: number
  readonly #b: number
  readonly #factor: number
  readonly #docFreq = new Map<string, number>()
  #docCount = 0
  #tokenCount = 0

  /** Documents with a token of the field, and tokens of all documents. */
  get counts(): { readonly documents: number; readonly tokens: number } {
    return { documents: this.#docCount, tokens: this.#tokenCount }
  }

  docFreq(term: string): number {
    return this.#docFreq.get(term) ?? 0
  }

  /** @param factor of all scores */
  constructor(
    documents: readonly PlainDocument[],
    field: string,
    [k1, b, factor]: readonly [k1: number, b: number, factor: number] = [1.2, 0.75, 1],
  ) {
    this.#field = field
    this.#k1 = f32(k1)
    this.#b = f32(b)
    this.#factor = factor
    for (const document of documents) {
      const tokens = tokensOf(document, field)
      if (tokens.length > 0) this.#docCount++
      this.#tokenCount += tokens.length
      for (const term of new Set(tokens))
        this.#docFreq.set(term, (this.#docFreq.get(term) ?? 0) + 1)
    }
  }

  /** The score of a document in which the terms, a word or a phrase, occur so often. */
  score(
    terms: readonly string[],
    freq: number,
    document: PlainDocument,
    boost: number,
    docFreq?: number,
  ): number {
    const docFreqs = terms.map(term => docFreq ?? this.#docFreq.get(term) ?? 0)
    return this.scoreBy(docFreqs, freq, document, boost)
  }

  /** The same by the documents that each of the terms occurs in, maybe in other fields. */
  scoreBy(
    docFreqs: readonly number[],
    freq: number,
    document: PlainDocument,
    boost: number,
  ): number {
    let idf = 0
    for (const n of docFreqs) {
      const documents = Math.max(this.#docCount, n)
      idf += f32(Math.log(1 + (documents - n + 0.5) / (n + 0.5)))
    }
    const weight = f32(f32(boost * this.#factor) * f32(idf))
    const code = encodeLength(tokensOf(document, this.#field).length)
    const length = document.keywords.has(this.#field) ? 1 : (CODED_LENGTHS[code] ?? 0)
    const average = f32(this.#tokenCount / this.#docCount)
    const [k1, b] = [this.#k1, this.#b]
    const inverse = f32(1 / f32(k1 * f32(f32(1 - b) + f32(f32(b * f32(length)) / average))))
    return f32(weight - f32(weight / f32(1 + f32(freq * inverse))))
  }
}
