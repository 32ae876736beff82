/**
 * Where Lucene comes from: the class path in `LAMELLA_LUCENE_CLASSPATH`, else Debian's
 * liblucene8-java, installed or downloaded and unpacked beside the bench, neither of which needs
 * root. The harness is compiled against it with the machine's own javac.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '../child-process.ts'

const PACKAGE = 'liblucene8-java'
const JARS = /^lucene-(core|analyzers-common)-\d[\d.]*\.jar$/
const INSTALLED = '/usr/share/java'
/** The JVM may not take more; the index itself is mapped, not read into it. */
const MOST_HEAP = '-Xmx4g'

/**
 * Compiles the harness and says how it is started.
 * @param cache a folder that is kept from run to run
 * @throws {Error} why Lucene cannot be run here
 */
export function luceneCommand(cache: string): Command {
  const classPath = process.env['LAMELLA_LUCENE_CLASSPATH'] ?? debianClassPath(cache)
  const classes = join(cache, 'classes')
  mkdirSync(classes, { recursive: true })
  const here = fileURLToPath(new URL('.', import.meta.url))
  const sources = [join(here, 'RivalBench.java'), join(here, 'api-8', 'LuceneApi.java')]
  run('javac', ['-nowarn', '-d', classes, '-cp', classPath, ...sources])
  return { program: 'java', args: [MOST_HEAP, '-cp', `${classes}:${classPath}`, 'RivalBench'] }
}

function debianClassPath(cache: string): string {
  const unpacked = join(cache, PACKAGE)
  const folders = [INSTALLED, join(unpacked, INSTALLED)]
  if (jarsIn(folders) === null) {
    mkdirSync(unpacked, { recursive: true })
    run('apt-get', ['download', '-q', PACKAGE], cache)
    const file = readdirSync(cache).find(name => name.startsWith(PACKAGE) && name.endsWith('.deb'))
    if (file === undefined) throw new Error(`apt-get download gave no ${PACKAGE}`)
    run('dpkg-deb', ['-x', join(cache, file), unpacked])
  }
  const jars = jarsIn(folders)
  if (jars === null) throw new Error(`${PACKAGE} has no lucene-core and lucene-analyzers-common`)
  return jars.join(':')
}

/** Both jars of the first folder that has them. */
function jarsIn(folders: readonly string[]): string[] | null {
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    const jars = readdirSync(folder).filter(name => JARS.test(name))
    if (jars.length >= 2) return jars.map(name => join(folder, name))
  }
  return null
}

function run(program: string, args: readonly string[], cwd?: string): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(cwd && { cwd }) })
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer }
    if (code === 'ENOENT') throw new Error(`there is no ${program} on this machine`)
    const lines = String(stderr).trim().split('\n')
    const first = lines.find(line => line.includes('error')) ?? lines.at(-1)
    throw new Error(`${program} failed: ${first}`)
  }
}
