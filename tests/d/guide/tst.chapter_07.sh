# The commands of this chapter of docs/guide do what it says.
# @@needs cc
. "$(dirname "$0")/lib.bash"
chapter 07
