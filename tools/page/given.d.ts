// What page.py writes in front of the notebook's widget: the style sheet, and the SVG symbols of its signs.
declare const STYLE: string;
declare const SIGNS: string;
