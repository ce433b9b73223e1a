// Memories that somebody wrote to break the page.
export const HOSTILE = [
  '<script>alert("script")</script>',
  '<img src=x onerror=alert("img")>',
  '<svg onload=alert("svg")><circle r=9></svg>',
  '"><iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  "[click me](javascript:alert('link')) <a href=\"javascript:alert('link')\">click</a>",
  '{{constructor.constructor("alert(1)")()}} ${alert(1)} #{alert(1)}',
  '<style>body{display:none}</style><link rel=stylesheet href="http://203.0.113.7/x.css">',
  '<img src="http://203.0.113.7/beacon.png"><form action="http://203.0.113.7/"><input name=a></form>',
  `${"W".repeat(4000)}`,
  "\u202Egnp.exe\u202C and \u200B\u200B\u200B zero width \uFEFF",
  "</textarea></title></script><script>alert('closing')</script>",
  "line one\n\n\n<b>line</b> two\t\ttabs",
];
