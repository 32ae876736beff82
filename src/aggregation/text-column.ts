import { scriptEngine } from '../search/script/script-engine.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import type { BucketBatch } from './bucket-batch.ts'
import { LeafMaskedTerms } from './masked-terms.ts'
import type { TextSource } from './value-source.ts'

/** Texts that no dictionary holds, of the documents of a batch: pairs of a document's index and a text. */
export class TextColumn {
  /** The index in the batch of each text's document, ascending. */
  readonly index: number[] = []
  /** A document has one several times where its script says so, or terms of it are masked alike. */
  readonly texts: string[] = []
  readonly #source: TextSource
  /** Null: no batch of the open leaf has been read. */
  #values: LeafTexts | null = null

  constructor(source: TextSource) {
    this.#source = source
  }

  /** Any document may have a text. */
  readonly isEmpty: boolean = false

  get count(): number {
    return this.index.length
  }

  openLeaf(): void {
    this.#values = null
  }

  read(batch: BucketBatch): void {
    const { docs, count, scores } = batch
    const { missing } = this.#source
    const values = (this.#values ??= leafTexts(this.#source, batch))
    this.index.length = 0
    this.texts.length = 0
    for (let i = 0; i < count; i++) {
      const found = values.texts(docs[i]!, scores?.[i] ?? 0)
      for (const text of found) this.#add(i, text)
      if (found.length === 0 && missing !== null) this.#add(i, missing)
    }
  }

  #add(index: number, text: string): void {
    this.index.push(index)
    this.texts.push(text)
  }
}

/** The texts of a leaf's documents, in any order. */
interface LeafTexts {
  texts(docId: number, score: number): readonly string[]
}

function leafTexts(source: TextSource, { leaf, scripts }: BucketBatch): LeafTexts {
  if ('masked' in source) return new LeafMaskedTerms(source.masked, leaf)
  if ('script' in source) return scriptEngine().values(source.script, leaf, scripts)
  const ids = leaf.ids()
  return { texts: docId => [decodeUtf8(ids.id(docId))] }
}
