import './zod-without-eval'
import { mount } from 'svelte'
import AppView from './App.svelte'
import { App } from './app.svelte'
import './ui/tokens.css'
import './ui/base.css'
import { createSounds } from './scan/sounds'
import { openHost } from './host'
import { showLastTheme } from './settings/theme.svelte'

showLastTheme(localStorage)
const app = new App(openHost(window), createSounds(), sessionStorage, localStorage)
mount(AppView, { target: document.body, props: { app } })
