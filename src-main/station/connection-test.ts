import type { AppError } from '../../src-shared/errors'
import type { ConnectionStep } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import { type Clock, type ServiceClock, createServiceClock } from '../clock'
import type { Credentials } from '../credentials/store'
import { type Profile, originsOf } from '../profile'
import { createSecrets } from '../secrets'
import { createServiceClient } from '../service/client'
import { createHttp } from '../service/http'
import { type ResolveProxy, createSystemProxy } from '../service/system-proxy'
import { createTokens } from '../service/tokens'

/** A package uid that doesn't exist. The service answers with an empty list of cases; other servers answer differently. */
const noPackage = '000000000000000000000000'

/**
 * Tests a connection from the keychain to the clock, with its own requests, which change nothing. After a failure, the
 * steps that depend on it are skipped.
 */
export async function testConnection(parts: {
  profile: Profile
  credentials: Credentials
  /** Asks the operating system for its proxy, as the connection itself does. */
  resolveProxy?: ResolveProxy | undefined
  clock: Clock
  /** Called after each step with its result. */
  announce?: (step: ConnectionStep) => void
}): Promise<ConnectionStep[]> {
  const { profile, credentials, resolveProxy, clock, announce } = parts
  const accounts = (['retail', 'sourcing'] as const).flatMap((product) => {
    const authUrl = profile.authUrls[product]
    return authUrl === undefined ? [] : [{ product, authUrl }]
  })
  const products = accounts.map(({ product }) => product)
  const steps: ConnectionStep[] = []
  const passed = (step: ConnectionStep['step']) => steps.some((one) => one.step === step && one.state === 'passed')
  const add = (name: ConnectionStep['step'], result: Partial<ConnectionStep> & Pick<ConnectionStep, 'state'>) => {
    const step = { step: name, error: null, took: null, offset: null, ...result }
    steps.push(step)
    announce?.(step)
  }
  const timed = async (step: ConnectionStep['step'], doing: () => Promise<Result<unknown, AppError>>) => {
    const began = performance.now()
    const result = await doing()
    const took = Math.round(performance.now() - began)
    add(step, result.ok ? { state: 'passed', took } : { state: 'failed', took, error: result.error })
  }

  const serviceClock = createServiceClock()
  const clocks = { areCompared: false }
  const noticing: ServiceClock = {
    ...serviceClock,
    seen(dateHeader, ...times) {
      serviceClock.seen(dateHeader, ...times)
      if (dateHeader !== undefined) clocks.areCompared = !serviceClock.isWrong()
    },
  }
  const clockOrigin = new URL(profile.baseUrl).origin
  const secrets = createSecrets()
  const http = createHttp({
    origins: originsOf(profile),
    clockOrigin,
    clock,
    serviceClock: noticing,
    secrets,
    caFile: profile.caFile,
    systemProxy: resolveProxy && createSystemProxy({ resolve: resolveProxy }),
  })
  const tokens = createTokens({ profile, credentials, http, clock, secrets })
  const { v12, v15 } = createServiceClient({ profile, http, tokens, clock })

  try {
    await timed('keychain', () => allStored(credentials, accounts))
    for (const product of products) {
      if (passed('keychain')) await timed(`token-${product}`, () => tokens.of(product).get())
      else add(`token-${product}`, { state: 'skipped' })
    }
    if (products.every((product) => passed(`token-${product}`))) {
      await timed('read', () => (products.includes('retail') ? v12.packageUids.cases(noPackage) : v15.brands.list()))
    } else add('read', { state: 'skipped' })
    const offset = serviceClock.offset()
    if (passed('read') && clocks.areCompared)
      add('clock', { state: Math.abs(offset) > 120_000 ? 'failed' : 'passed', offset })
    else add('clock', { state: 'skipped' })
    return steps
  } finally {
    await http.close()
  }
}

/** Checks that each account has stored credentials that can be read. */
async function allStored(
  credentials: Credentials,
  accounts: { product: ServiceProduct; authUrl: string }[],
): Promise<Result<null, AppError>> {
  for (const { product, authUrl } of accounts) {
    const read = await credentials.read(product, authUrl)
    if (!read.ok) return read
    if (read.value === null) return err({ code: 'service/credentials-missing' })
  }
  return ok(null)
}
