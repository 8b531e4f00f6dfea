import type { AppError, ResultOf } from '../../src-shared/errors'
import type { ConnectionStep } from '../../src-shared/ipc/contract/station'
import { type Result, err } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { KeychainCode } from '../credentials/keychain'
import { type Clock, type ServiceClock, createServiceClock } from '../core/clock'
import { StationClock } from '../core/station-clock'
import type { Credentials } from '../credentials/store'
import { type Profile, originsOf } from '../credentials/profile'
import { createSecrets } from '../credentials/secrets'
import { createServiceClient } from '../service/client'
import { createHttp } from '../service/http'
import type { ServiceCode } from '../service/reply'
import { type ResolveProxy, createSystemProxy } from '../service/system-proxy'
import { createTokens } from '../service/tokens'
import { isOfCertificate, lookAtAccount, lookAtService, lookAtSignIn } from './connection-look'

/** A package uid that doesn't exist. The service answers with an empty list of cases; other servers answer differently. */
const noPackage = '000000000000000000000000'

/**
 * Tests a connection with its own requests, which change nothing: the service's address and certificate, then for each
 * account its sign-in address and its client id and secret, then whether each may do what it is for, and the clock.
 * After a failure, only the steps that depend on it are skipped, so that one test names everything that is wrong.
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
  const steps: ConnectionStep[] = []
  const passed = (step: ConnectionStep['step']) => steps.some((one) => one.step === step && one.state === 'passed')
  const add = (name: ConnectionStep['step'], result: Partial<ConnectionStep> & Pick<ConnectionStep, 'state'>) => {
    const step = { step: name, error: null, took: null, offset: null, ...result }
    steps.push(step)
    announce?.(step)
  }
  /** `took` is of the request: what fails without one takes no time worth showing. */
  const timed = async (step: ConnectionStep['step'], doing: () => Promise<Result<unknown, AppError>>) => {
    const began = performance.now()
    const result = await doing()
    const took = Math.round(performance.now() - began)
    add(step, result.ok ? { state: 'passed', took } : { state: 'failed', error: result.error })
  }

  // More than a day apart, the test says it too: the station would go by the service's clock.
  const station = new StationClock({ system: clock })
  const serviceClock = createServiceClock({ station })
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
    clock: station,
    serviceClock: noticing,
    secrets,
    caFile: profile.caFile,
    systemProxy: resolveProxy && createSystemProxy({ resolve: resolveProxy }),
  })
  const tokens = createTokens({ profile, credentials, http, clock, secrets })
  const { v12, v15 } = createServiceClient(profile, { http, tokens, clock })

  /** Address and certificate are one request: a server whose certificate isn't trusted has been found. */
  const findService = async () => {
    const began = performance.now()
    const found = await lookAtService(http, profile.baseUrl)
    const took = Math.round(performance.now() - began)
    const isDistrusted = !found.ok && isOfCertificate(found.error)
    if (!found.ok && !isDistrusted) add('address', { state: 'failed', error: found.error })
    else add('address', { state: 'passed', took })
    if (isDistrusted) add('certificate', { state: 'failed', error: found.error })
    // Only a service on this computer does without.
    else if (clockOrigin.startsWith('https:')) add('certificate', { state: found.ok ? 'passed' : 'skipped' })
    return found.ok
  }
  const trySignIn = async ({ product, authUrl }: (typeof accounts)[number]) => {
    await timed(`sign-in-${product}`, () => lookAtSignIn(http, authUrl))
    const account = `account-${product}` as const
    const stored = await storedFor(credentials, product, authUrl)
    if (!stored.ok) add(account, { state: 'failed', error: stored.error })
    else if (!passed(`sign-in-${product}`)) add(account, { state: 'skipped' })
    else await timed(account, () => tokens.of(product).get())
  }

  /** A read as the station makes it, then what only this account may do. */
  const tryRights = async (product: ServiceProduct): Promise<ResultOf<unknown, ServiceCode>> => {
    const read = product === 'retail' ? await v12.packageUids.cases(noPackage) : await v15.brands.list()
    if (!read.ok) return read
    const token = await tokens.of(product).get()
    return token.ok ? lookAtAccount(http, profile.baseUrl, { product, token: token.value }) : token
  }

  try {
    const isFound = await findService()
    for (const account of accounts) await trySignIn(account)
    for (const { product } of accounts) {
      if (isFound && passed(`account-${product}`)) await timed(`rights-${product}`, () => tryRights(product))
      else add(`rights-${product}`, { state: 'skipped' })
    }
    const offset = serviceClock.offset() + station.lead()
    if (accounts.some(({ product }) => passed(`rights-${product}`)) && clocks.areCompared)
      add('clock', { state: Math.abs(offset) > 120_000 ? 'failed' : 'passed', offset })
    else add('clock', { state: 'skipped' })
    return steps
  } finally {
    await http.close()
  }
}

/** The stored client id and secret of an account. */
async function storedFor(
  credentials: Credentials,
  product: ServiceProduct,
  authUrl: string,
): Promise<
  ResultOf<unknown, KeychainCode | 'keychain/mismatch' | 'keychain/vanished' | 'service/credentials-missing'>
> {
  const read = await credentials.read(product, authUrl)
  return read.ok && read.value === null ? err({ code: 'service/credentials-missing' }) : read
}
