/** Lucene's unified highlighter as a child process, over texts in memory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LineProcess } from '../../test/support/lucene/line-process.ts'

/** A search's times in microseconds. */
export interface TimedHighlights {
  readonly without: number
  readonly with: number
  /** CRC-32 of each hit's sentences. */
  readonly checksums: readonly number[]
}

/** Indices of one text a document, and searches whose ten best hits are highlighted. */
export class LuceneHighlighter {
  /** @throws {Error} why Lucene cannot be run here */
  readonly #process = new LineProcess([
    '../../../bench/macro/lucene/HighlightBench.java',
    'JsonReader.java',
  ])

  /** Makes an index of one segment. */
  async load(
    name: string,
    offsets: 'analysis' | 'postings' | 'vectors',
    texts: readonly string[],
  ): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'lamella-highlighting-'))
    try {
      const file = join(folder, 'texts')
      writeFileSync(file, texts.join('\u0001'))
      const answer = await this.#process.ask({ load: [name, offsets, file] })
      if (answer !== '0') throw new Error(`Lucene: ${answer}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** A search without and with sentences. @param kind `phrase`; otherwise any of the words matches */
  async search(name: string, kind: string, words: string): Promise<TimedHighlights> {
    const answer = await this.#process.ask({ search: [name, kind, words] })
    const [without, withThem, checksums] = answer.split('\t')
    if (checksums === undefined) throw new Error(`Lucene: ${answer}`)
    return {
      without: Number(without) / 1000,
      with: Number(withThem) / 1000,
      checksums: numbersOf(checksums),
    }
  }

  /** CRC-32 of each hit's whole text with its highlights. */
  async whole(name: string, kind: string, words: string): Promise<readonly number[]> {
    const answer = await this.#process.ask({ whole: [name, kind, words] })
    return numbersOf(answer)
  }

  close(): void {
    this.#process.close()
  }
}

function numbersOf(list: string): readonly number[] {
  return list === '' ? [] : list.split(',').map(Number)
}
