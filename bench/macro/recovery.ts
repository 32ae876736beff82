import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { trusted } from '../../dist/task/call-context.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { bulkBodies, load, withEngine } from '../lib/loaded-engine.ts'
import { atLeast, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const CHILD = fileURLToPath(new URL('../lib/recovery-child.mjs', import.meta.url))

/** How fast a log is written again when a process was killed before any commit. */
export const recovery: Bench = {
  name: 'recovery',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus)
    const { textField } = documents
    const oneField = `{"dynamic":false,"properties":{"${textField}":{"type":"text"}}}`
    return [
      await replays(documents, `one text field`, oneField, rounds, say),
      await replays(documents, 'all fields dynamic', null, rounds, say),
    ]
  },
}

/** From a killed process's folder to an engine that answers: bytes of the log each second. */
async function replays(
  documents: Documents,
  name: string,
  mappings: string | null,
  rounds: number,
  say: (line: string) => void,
): Promise<BenchResult> {
  const root = mkdtempSync(join(tmpdir(), 'lamella-recovery-'))
  const perSecond: number[] = []
  try {
    const killed = join(root, 'killed')
    const bytes = await withEngine(true, mappings, async (engine, folder) => {
      await load(engine, bulkBodies(documents))
      const [stats] = await engine.cluster.stats(
        {
          names: ['bench'],
          ignoreUnavailable: false,
          allowNoIndices: true,
          expandOpen: true,
          expandClosed: false,
          expandHidden: false,
          allowAliases: true,
          allowDataStreams: true,
        },
        true,
        trusted('indices:monitor/stats'),
      )
      cpSync(folder.root, killed, { recursive: true })
      return stats!.shards[0]!.translogInBytes
    })
    say(`recovery: ${Math.round(bytes / 1e6)} MB of log, ${name}`)
    for (let round = -1; round < rounds; round++) {
      const copy = join(root, `copy-${round}`)
      cpSync(killed, copy, { recursive: true })
      // A process of its own: after a crash everything is cold.
      const seconds = Number(execFileSync(process.execPath, [CHILD, copy], { encoding: 'utf8' }))
      rmSync(copy, { recursive: true })
      if (round >= 0) perSecond.push(bytes / 1e6 / seconds)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  const best = Math.max(...perSecond)
  return {
    ...resultOf(`recovery/${name}`, 'MB of log/s', perSecond),
    min: best,
    mark: atLeast(best, 50, 'MB/s')!,
  }
}
