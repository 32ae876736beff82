/**
 * Passages of technical documentation: the HTML pages of Debian's documentation packages. Packages
 * are downloaded with apt-get and unpacked with dpkg-deb, both of which need no root; what they
 * contain differs from release to release, so versions and hashes go into made.json.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Corpus, CorpusDocument, CorpusOptions } from '../lib/corpus.ts'
import { passagesOf } from '../lib/html-text.ts'
import { PACKAGES } from './packages.ts'

/** One package may not drown the others: API references run to a hundred thousand passages. */
const MOST_PER_PACKAGE = 15_000
/** Pages in other languages than English. */
const FOREIGN = /\/(da|de|es|fr|it|ja|ko|pt-br|pt_BR|ru|tr|zh-cn)(\/|\.utf8\/)|\.(de|es|fr|ja|ko)\./
/** Pages that repeat others: sources of the pages, indexes, cross-references. */
const REPEATS = /\/(_sources|class-use|src)\/|(genindex|index-all|package-tree)[^/]*\.html/
/** A page this large is a table or a dump, not prose. */
const MOST_PAGE_BYTES = 4 << 20

/** The corpus `debian-docs`. */
export const debianDocs: Corpus = {
  name: 'debian-docs',
  textField: 'body',

  *generate({ size, cache, note, say }: CorpusOptions): Iterable<CorpusDocument> {
    const versions: Record<string, unknown> = Object.create(null)
    const seen = new Set<string>()
    let count = 0
    for (const name of PACKAGES) {
      const file = download(name, join(cache, 'deb'))
      if (file === null) {
        say(`${name}: not to be had here, left out`)
        continue
      }
      const bytes = readFileSync(file)
      const version = execFileSync('dpkg-deb', ['-f', file, 'Version'], { encoding: 'utf8' }).trim()
      versions[name] = { version, sha256: createHash('sha256').update(bytes).digest('hex') }
      note('packages', versions)
      const tree = join(cache, 'tree')
      rmSync(tree, { recursive: true, force: true })
      mkdirSync(tree, { recursive: true })
      execFileSync('dpkg-deb', ['-x', file, tree])
      const before = count
      for (const document of documentsOf(name, tree, seen)) {
        if (size !== null && count >= size) break
        count++
        yield document
        if (count - before >= MOST_PER_PACKAGE) break
      }
      rmSync(tree, { recursive: true, force: true })
      say(`${name} ${version}: ${count - before} passages, ${count} in all`)
      if (size !== null && count >= size) return
    }
  },
}

function* documentsOf(name: string, tree: string, seen: Set<string>): Iterable<CorpusDocument> {
  for (const path of pagesIn(tree)) {
    const bytes = readFileSync(path)
    if (bytes.length > MOST_PAGE_BYTES) continue
    const html = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    const shown = relative(tree, path)
    let part = 0
    for (const { title, body } of passagesOf(html, shown)) {
      // The same boilerplate stands on thousands of pages of a generated reference.
      const key = createHash('md5').update(body).digest('base64')
      if (seen.has(key)) continue
      seen.add(key)
      yield { id: `${name}:${shown}:${part++}`, package: name, path: shown, title, body }
    }
  }
}

function pagesIn(tree: string): string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.x?html?(\.gz)?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !REPEATS.test(path) && !FOREIGN.test(path))
    .sort()
}

/** The package's file, from the cache when it is there; null when apt knows no such package. */
function download(name: string, folder: string): string | null {
  mkdirSync(folder, { recursive: true })
  const found = (): string | undefined =>
    readdirSync(folder).find(file => file.startsWith(`${name}_`) && file.endsWith('.deb'))
  if (found() === undefined) {
    try {
      execFileSync('apt-get', ['download', '-q', name], { cwd: folder, stdio: 'ignore' })
    } catch {
      return null
    }
  }
  const file = found()
  return file !== undefined && existsSync(join(folder, file)) ? join(folder, file) : null
}
