/** Looks through all that a node tells for the secrets that tests have used. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A shorter text is told from no other. */
const SHORTEST = 12

const secrets = new Set<string>()

/** Notes a secret that a test uses; all nodes of the process are watched for it. */
export function noteSecret(text: string): void {
  if (text.length >= SHORTEST) secrets.add(text)
}

/** Notes the secrets of a header of credentials: its last word, and the password in it. */
export function noteCredentials(header: string): void {
  const given = header.trim().split(/\s+/).at(-1) ?? ''
  noteSecret(given)
  const decoded = Buffer.from(given, 'base64').toString('latin1')
  if (header.startsWith('Basic ')) noteSecret(decoded.slice(decoded.indexOf(':') + 1))
}

/** What one node has told. */
export class SecretWatch {
  readonly #leaks = new Set<string>()
  #lookedThrough = 0

  /** Texts, lines and files that were looked through. */
  get lookedThrough(): number {
    return this.#lookedThrough
  }

  /** Places where secrets stood. */
  get leaks(): readonly string[] {
    return [...this.#leaks]
  }

  /** @param where names the text should it hold a secret */
  look(where: string, text: string): void {
    this.#lookedThrough++
    for (const secret of secrets)
      if (text.includes(secret)) this.#leaks.add(`${where} tells [${secret}]`)
  }

  lookIntoFiles(folder: string): void {
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const path = join(file.parentPath, file.name)
      this.look(path, readFileSync(path).toString('latin1'))
    }
  }
}
