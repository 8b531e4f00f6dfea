import './zod-without-eval'
import { mount } from 'svelte'
import AppView from './App.svelte'
import { App } from './app.svelte'
import type { Host } from './host'
import { createSounds } from './scan/sounds'
import { showLastLook } from './settings/look.svelte'

/** Shows the app. */
export async function showPage(host: Host): Promise<void> {
  await showLastLook(localStorage)
  const app = new App(host, createSounds(), sessionStorage, localStorage)
  mount(AppView, { target: document.body, props: { app } })
}
