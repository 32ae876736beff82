/** The hash of a password as documents of users have it, made off the calling thread. */
export async function passwordHash(password: string): Promise<string> {
  const { hashPassword } = await import('../service/security/password-hash.ts')
  return await hashPassword(password)
}
