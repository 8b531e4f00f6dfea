import './ui/tokens.css'
import './ui/base.css'
import { host } from './line'
import { showPage } from './page'

void showPage(host)
