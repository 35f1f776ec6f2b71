# Names that come with their length.
# @@needs cc
. "$(dirname "$0")/lib.bash"
stand_in hotspot 'probe class__loaded(char *, unsigned long, void *, char); probe class__unloaded(char *, unsigned long, void *, char);' <<'C'
HOTSPOT_CLASS_LOADED(T("java/lang/ObjectXXXX"), 16, NULL, 1);
HOTSPOT_CLASS_UNLOADED(T("app/MainXXXX"), 8, NULL, 0);
C
script jclasses -c "$dir/hotspot"
ended 0
like '[0-9]+ loaded java/lang/Object'
like '[0-9]+ unloaded app/Main'
