import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { zipf } from '../../corpora/zipf/generate.ts'

const SEED = 1
const BATCH_CHARS = 1 << 20
/** Documents between two lines of progress. */
const PROGRESS_STEP = 500_000

/** Writes documents of `zipf` as NDJSON; more of them start with those of a smaller file. */
export async function writeZipf(
  path: string,
  size: number,
  say: (line: string) => void,
): Promise<void> {
  const out = createWriteStream(path)
  const options = { size, seed: SEED, cache: '', note: () => {}, say }
  let batch = ''
  let count = 0
  for await (const document of zipf.generate(options)) {
    batch += `${JSON.stringify(document)}\n`
    if (++count % PROGRESS_STEP === 0) say(`${count} made`)
    if (batch.length < BATCH_CHARS && count < size) continue
    if (!out.write(batch)) await new Promise<void>(resolve => out.once('drain', resolve))
    batch = ''
  }
  out.end()
  await finished(out)
}
