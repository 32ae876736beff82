/**
 * Where Lucene comes from: the class path in `LAMELLA_LUCENE_CLASSPATH`, else Debian's
 * liblucene8-java, installed or downloaded and unpacked, neither of which needs root. What is run
 * beside it is compiled with the machine's own javac.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { debianFolder, runProgram } from '../debian-package.ts'

const JARS =
  /^lucene-(core|analyzers-common|suggest|queries|grouping|highlighter|memory)-\d[\d.]*\.jar$/

/** A program and how it is started. */
export interface JavaCommand {
  readonly program: string
  readonly args: readonly string[]
}

/**
 * Compiles sources against Lucene and says how their main class is started.
 * @param cache a folder that is kept from run to run
 * @param options of the JVM
 * @throws {Error} why Lucene cannot be run here
 */
export function luceneProgram(
  cache: string,
  sources: readonly string[],
  mainClass: string,
  options: readonly string[],
): JavaCommand {
  mkdirSync(cache, { recursive: true })
  const classPath = process.env['LAMELLA_LUCENE_CLASSPATH'] ?? debianClassPath(cache)
  const classes = join(cache, 'classes')
  mkdirSync(classes, { recursive: true })
  runProgram('javac', ['-nowarn', '-d', classes, '-cp', classPath, ...sources])
  return { program: 'java', args: [...options, '-cp', `${classes}:${classPath}`, mainClass] }
}

function debianClassPath(cache: string): string {
  const folder = debianFolder(
    'liblucene8-java',
    '/usr/share/java',
    cache,
    each => jarsIn(each).length >= 7,
  )
  return jarsIn(folder)
    .map(name => join(folder, name))
    .join(':')
}

function jarsIn(folder: string): string[] {
  return readdirSync(folder).filter(name => JARS.test(name))
}
