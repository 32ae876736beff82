/** Lucene's side of the rivals, compiled beside the bench. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { luceneProgram } from '../../../test/support/lucene/class-path.ts'
import type { Command } from '../child-process.ts'

/** The JVM may not take more; the index itself is mapped, not read into it. */
const MAX_HEAP = '-Xmx4g'

/**
 * Compiles the harness and says how it is started.
 * @param cache a folder that is kept from run to run
 * @throws {Error} why Lucene cannot be run here
 */
export function luceneCommand(cache: string): Command {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const sources = [
    join(here, 'RivalBench.java'),
    join(here, 'ChildLoop.java'),
    join(here, 'FieldFunction.java'),
    join(here, 'PackageGroups.java'),
    join(here, 'BodyHighlights.java'),
    join(here, 'api-8', 'LuceneApi.java'),
  ]
  return luceneProgram(cache, sources, 'RivalBench', [MAX_HEAP])
}
