import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The documents of a made corpus as lines of NDJSON, and its queries. */
export interface Documents {
  readonly name: string
  readonly textField: string
  /** Bytes of the file. */
  readonly bytes: Uint8Array
  /** Document i is `bytes[bounds[i], bounds[i + 1] − 1)`. */
  readonly bounds: Uint32Array
  /** Bytes of the text field over all documents. */
  readonly textBytes: number
  readonly queries: readonly {
    readonly kind: string
    readonly className: string
    readonly words: string
  }[]
}

/** Reads a corpus that `npm run corpus -- NAME` made; at most so many documents. */
export function readDocuments(name: string, most: number = Number.POSITIVE_INFINITY): Documents {
  const folder = new URL(`../../corpora/${name}/`, import.meta.url)
  const path = fileURLToPath(new URL('documents.ndjson', folder))
  if (!existsSync(path))
    throw new Error(`the corpus [${name}] is not there: make it by npm run corpus -- ${name}`)
  const { textField } = JSON.parse(readFileSync(new URL('corpus.json', folder), 'utf8')) as {
    textField: string
  }
  const bytes = new Uint8Array(readFileSync(path))
  const bounds: number[] = [0]
  for (let at = 0; at < bytes.length && bounds.length <= most; ) {
    const end = bytes.indexOf(10, at)
    if (end < 0) break
    bounds.push(end + 1)
    at = end + 1
  }
  let textBytes = 0
  const decoder = new TextDecoder()
  for (let i = 0; i + 1 < bounds.length; i++) {
    const line = decoder.decode(bytes.subarray(bounds[i]!, bounds[i + 1]! - 1))
    const text = (JSON.parse(line) as Record<string, unknown>)[textField]
    textBytes += Buffer.byteLength(String(text))
  }
  const queries = readFileSync(new URL('queries.tsv', folder), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => {
      const [className, kind, words] = line.split('\t') as [string, string, string]
      return { className, kind, words }
    })
  return { name, textField, bytes, bounds: Uint32Array.from(bounds), textBytes, queries }
}
