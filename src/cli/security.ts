import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { passwordHash } from '../embed/password-hash.ts'
import { sealKeys } from '../embed/seal-keys.ts'
import type { Arguments, Verb } from './command-line.ts'
import { DATA_OPTION, dataFolder, openFolder } from './data-folder.ts'
import { printable } from './drawing/text.ts'
import { CliError, EXIT, type ExitCode, UsageError } from './exit-code.ts'
import { readPassword } from './read-password.ts'
import type { Terminal } from './terminal.ts'

const USERS = '/_plugins/_security/api/internalusers'
/** The first user unless another name is given, and his role. */
const FIRST_USER = 'admin'
const ADMINISTRATOR = 'all_access'

/** `lamella security`: the first users of a data folder, made before anybody can reach it. */
export const security: Verb = {
  positionals: [
    { name: 'ACTION', description: 'init [NAME], hash, user add NAME, or seal FILE', isList: true },
  ],
  options: {
    data: DATA_OPTION,
    role: {
      type: 'string',
      valueHint: 'ROLE',
      description: 'A role of the user; may be repeated',
      isList: true,
    },
    'backend-role': {
      type: 'string',
      valueHint: 'NAME',
      description: 'A backend role of the user, which mappings give roles; may be repeated',
      isList: true,
    },
    generate: { type: 'boolean', description: 'Make a password and print it' },
  },

  async run(given: Arguments, terminal: Terminal): Promise<ExitCode> {
    const [action = '', ...rest] = given.positionals
    if (action === 'hash' && rest.length === 0) {
      terminal.out(await passwordHash(await readPassword('Password')))
      return EXIT.fine
    }
    if (action === 'init' && rest.length <= 1)
      return await addUser(given, terminal, rest[0] ?? FIRST_USER, true)
    const [step, name] = rest
    if (action === 'seal' && step !== undefined && rest.length === 1)
      return await sealFile(given, terminal, step)
    if (action === 'user' && step === 'add' && name !== undefined && rest.length === 2)
      return await addUser(given, terminal, name, false)
    throw new UsageError(
      `security ${given.positionals.join(' ')} makes no sense: it takes init [NAME], hash, user add NAME, seal FILE`,
    )
  },
}

/** Seals a file of keys in its place, whole or not at all. */
async function sealFile(given: Arguments, terminal: Terminal, path: string): Promise<ExitCode> {
  const text = readFileSync(path, 'utf8')
  const folder = dataFolder(given)
  // Held, so that no node makes another key for it meanwhile.
  await using _ = await openFolder(folder)
  const sealed = await sealKeys(folder, text)
  const pending = `${path}.pending`
  writeFileSync(pending, sealed, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(pending, path)
  if (given.flag('json')) terminal.out(JSON.stringify({ file: path }))
  else terminal.out(`sealed the values of ${printable(path)}`)
  return EXIT.fine
}

/** @param isFirst whether he is the administrator of a folder that has no users yet */
async function addUser(
  given: Arguments,
  terminal: Terminal,
  name: string,
  isFirst: boolean,
): Promise<ExitCode> {
  const isMade = given.flag('generate')
  const password = isMade ? randomBytes(18).toString('base64url') : await readPassword('Password')
  await using db = await openFolder(dataFolder(given))
  const users = await db.request({ method: 'GET', path: USERS })
  const names = Object.keys(users.json() as object)
  if (isFirst && names.length > 0)
    throw new CliError(
      `the folder has users already: ${printable(names.join(', '))}; add one with \`lamella security user add\``,
    )
  if (names.includes(name)) throw new CliError(`there is a user [${printable(name)}] already`)
  const roles = isFirst ? [ADMINISTRATOR] : given.list('role')
  const answer = await db.request({
    method: 'PUT',
    path: `${USERS}/${encodeURIComponent(name)}`,
    body: {
      password,
      opendistro_security_roles: roles,
      backend_roles: given.list('backend-role'),
    },
  })
  if (answer.status !== 201) {
    const { reason, message } = answer.json() as Record<string, string | undefined>
    throw new CliError(printable(reason ?? message ?? 'the user could not be made'))
  }
  if (given.flag('json'))
    terminal.out(JSON.stringify({ user: name, roles, ...(isMade ? { password } : {}) }))
  else {
    terminal.out(`made the user ${printable(name)}`)
    if (isMade) terminal.out(`password: ${password}`)
  }
  return EXIT.fine
}
