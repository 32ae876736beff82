/** Texts sealed under a key (AES-256-GCM), as they lie on disk: `nonce.text.tag` in Base64. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12

/** Seals a text; the same text seals differently each time. */
export function seal(key: Uint8Array, secret: Secret): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()])
  return [nonce, text, cipher.getAuthTag()].map(part => part.toString('base64')).join('.')
}

/** The text of what `seal` made; null where it was sealed under another key, or changed. */
export function unseal(key: Uint8Array, sealed: string): Secret | null {
  const [nonce, text, tag] = sealed.split('.').map(part => Buffer.from(part, 'base64'))
  if (nonce?.length !== NONCE_BYTES || text === undefined || tag?.length !== 16) return null
  try {
    const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: 16 })
    cipher.setAuthTag(tag)
    return new Secret(Buffer.concat([cipher.update(text), cipher.final()]).toString('utf8'))
  } catch {
    return null
  }
}
