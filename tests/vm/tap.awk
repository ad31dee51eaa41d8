# SPDX-License-Identifier: GPL-2.0-or-later
# What the guest wrote, as TAP: numbers the results, puts the script's name before the description, and adds what the
# guest cannot say. Needs the variable expected, the number of test scripts. Exit 0 only if there are results, and all
# are ok.

function result(word, text) {
	print word " " ++n " - " text
	if (word != "ok")
		bad = 1
}

/^# begin / {
	name = $3
	lines = 0
}

/^(not )?ok - / {
	word = /^not/ ? "not ok" : "ok"
	sub(/^(not )?ok - /, "")
	result(word, name ": " $0)
	lines++
	next
}

/^# end / {
	if ($4 != 0 && !bad)
		result("not ok", $3 ": ended with status " $4)
	if (!lines)
		result("not ok", $3 ": no result")
	ended++
}

/^EXIT-STATUS / {
	status = $2
	print "# guest: " $0
	next
}

{
	print(/^#/ ? "" : "# ") $0
}

END {
	if (ended != expected)
		result("not ok", "only " ended + 0 " of " expected " test scripts came to an end (last: " name ")")
	if (status == "")
		result("not ok", "no exit status from the guest: panic, hang or time-out")
	else if (status != 0 && !bad)
		result("not ok", "exit status " status " from the guest")
	print "1.." n
	exit bad || !n
}
