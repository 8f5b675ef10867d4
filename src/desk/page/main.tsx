import { render } from 'preact';
import { App } from './app.tsx';

const place = document.getElementById('page')!;
place.replaceChildren();
render(<App />, place);
