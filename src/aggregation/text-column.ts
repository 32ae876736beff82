import type { ScriptedValues } from '../search/script/leaf-script.ts'
import { scriptEngine } from '../search/script/script-engine.ts'
import type { BucketBatch } from './bucket-batch.ts'
import type { TextSource } from './value-source.ts'

/** The texts that a script gives the documents of a batch: pairs of a document's index and a text. */
export class TextColumn {
  /** The index in the batch of each text's document, ascending. */
  readonly index: number[] = []
  /** A document has one several times where its script says so. */
  readonly texts: string[] = []
  readonly #source: TextSource
  /** Null: no batch of the open leaf has been read. */
  #values: ScriptedValues | null = null

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

  read({ leaf, docs, count, scores, scripts }: BucketBatch): void {
    const { missing, script } = this.#source
    const values = (this.#values ??= scriptEngine().values(script, leaf, scripts))
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
